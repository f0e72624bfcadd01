// Shows a trip of this site on another one: <script src="https://…/embed.js" data-trip="slug" async></script>
(function () {
  var me = document.currentScript;
  if (!me || !me.dataset.trip) return;
  var home = new URL(me.src).origin, frame = document.createElement("iframe");
  frame.src = home + "/embed/" + encodeURIComponent(me.dataset.trip);
  frame.title = me.dataset.title || "Book this trip";
  frame.loading = "lazy";
  frame.style.cssText = "display:block;width:100%;border:0;height:" + (parseInt(me.dataset.height, 10) || 560) + "px";
  addEventListener("message", function (event) {
    var said = event.data;
    if (event.source !== frame.contentWindow || event.origin !== home || !said || said.svc !== "height") return;
    var height = Math.min(Math.max(Number(said.height) || 0, 100), 5000);
    frame.style.height = height + "px";
  });
  me.parentNode.insertBefore(frame, me.nextSibling);
})();

// Tells the page around this frame how high it is, whenever that changes. The height is no secret.
(function () {
  if (parent === window) return;
  var last = 0;
  function tell() {
    var height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height !== last) parent.postMessage({ svc: "height", height: last = height }, "*");
  }
  new ResizeObserver(tell).observe(document.body);
  tell();
})();

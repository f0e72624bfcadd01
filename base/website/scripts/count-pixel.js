// Starts the Facebook pixel by the id of its data block. The page has this script only for visitors who allowed it.
(function () {
  var w = window, id = JSON.parse(document.getElementById("svc-tag-facebook_pixel").textContent).id;
  if (navigator.globalPrivacyControl) return;
  var fbq = w.fbq = function () { fbq.callMethod ? fbq.callMethod.apply(fbq, arguments) : fbq.queue.push(arguments); };
  w._fbq = fbq.push = fbq;
  fbq.loaded = true;
  fbq.version = "2.0";
  fbq.queue = [];
  fbq("init", id);
  fbq("track", "PageView");
  var script = document.createElement("script");
  script.async = true;
  script.src = "https://connect.facebook.net/en_US/fbevents.js";
  document.head.appendChild(script);
})();

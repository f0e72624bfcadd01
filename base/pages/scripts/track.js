// Starts Google Analytics and the Facebook pixel by the ids of this script's element, for visitors who allow it.
(function () {
  var d = document.querySelector("script[data-analytics]").dataset, w = window;
  if (navigator.globalPrivacyControl || navigator.doNotTrack === "1") return;
  function load(address) {
    var script = document.createElement("script");
    script.async = true;
    script.src = address;
    document.head.appendChild(script);
  }
  if (d.analytics) {
    w.dataLayer = w.dataLayer || [];
    w.gtag = function () { w.dataLayer.push(arguments); };
    w.gtag("js", new Date());
    w.gtag("config", d.analytics);
    load("https://www.googletagmanager.com/gtag/js?id=" + encodeURIComponent(d.analytics));
  }
  if (d.pixel) {
    var fbq = w.fbq = function () { fbq.callMethod ? fbq.callMethod.apply(fbq, arguments) : fbq.queue.push(arguments); };
    w._fbq = fbq.push = fbq;
    fbq.loaded = true;
    fbq.version = "2.0";
    fbq.queue = [];
    fbq("init", d.pixel);
    fbq("track", "PageView");
    load("https://connect.facebook.net/en_US/fbevents.js");
  }
})();

// Sends the banner's answer without leaving the page. Where that fails, the form is sent as without this script.
(function () {
  var banner = document.querySelector("[data-consent]"), form = banner && banner.querySelector("form");
  if (!form) return;
  form.addEventListener("submit", function sent(event) {
    var button = event.submitter, answer = new URLSearchParams(new FormData(form));
    if (!button) return;
    event.preventDefault();
    answer.append(button.name, button.value);
    fetch(form.action, { method: "POST", body: answer, redirect: "manual" }).then(function (reply) {
      if (reply.type !== "opaqueredirect") throw new Error("not stored");
      var main = document.getElementById("content");
      if (banner.contains(document.activeElement)) {
        main.tabIndex = -1;
        main.focus({ preventScroll: true });
      }
      document.querySelectorAll("[href='#" + banner.id + "']").forEach(function (link) { link.remove(); });
      banner.remove();
    }).catch(function () {
      form.removeEventListener("submit", sent);
      form.requestSubmit(button);
    });
  });
})();

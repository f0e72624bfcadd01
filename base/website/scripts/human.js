// Asks reCAPTCHA for a token when a protected form is sent, and sends the form with it. Where no token can be had, the
// form is sent without one: the server then says so and keeps what was typed.
(function () {
  var given_up = false, longest = 15000;
  function answered(field, done) {
    var is_over = false, began = Date.now();
    function end(token) {
      if (!is_over) setTimeout(done, 0, token); // a form cannot be sent while it is being sent
      is_over = true;
    }
    function none() { end(""); }
    (function ask() {
      if (is_over) return;
      if (given_up || Date.now() - began > longest) return none();
      if (!window.grecaptcha || !window.grecaptcha.execute) return setTimeout(ask, 100);
      window.grecaptcha.ready(function () {
        try {
          window.grecaptcha.execute(field.dataset.human, { action: field.dataset.action }).then(end, none);
        } catch (fault) {
          none();
        }
      });
    })();
    setTimeout(none, longest);
  }
  var fields = document.querySelectorAll("input[data-human]");
  if (!fields.length || window.svc_human) return;
  window.svc_human = true;
  var script = document.createElement("script");
  script.async = true;
  script.src = fields[0].dataset.provider;
  script.onerror = function () { given_up = true; };
  document.head.appendChild(script);
  fields.forEach(function (field) {
    var form = field.form, is_asking = false, has_token = false;
    form.addEventListener("submit", function (event) {
      var button = event.submitter;
      if (has_token) return;
      event.preventDefault();
      if (is_asking) return;
      is_asking = true;
      if (button) button.setAttribute("aria-busy", "true");
      answered(field, function (token) {
        field.value = token;
        has_token = true;
        form.requestSubmit(button || undefined);
        has_token = false;
        if (button) button.removeAttribute("aria-busy");
      });
    });
    window.addEventListener("pageshow", function () { is_asking = false; }); // a token is good once: the back button asks anew
  });
})();

// Every page: who is signed in is said beside the link to the account. Pages that all visitors share cannot say it
// themselves; the server is asked only where the cookie of a sign-in hints at one.
const account = document.querySelector<HTMLAnchorElement>('[data-me]');
const hint = /(?:^|; )(__Host-)?svc_in=1(?:;|$)/.exec(document.cookie);

if (account?.dataset.me && hint)
  void fetch(account.dataset.me)
    .then(async (answer) => {
      const { name } = answer.ok ? ((await answer.json()) as { name?: string }) : {};
      if (name) {
        const small = document.createElement('small');
        small.textContent = name;
        account.append(small);
      } else if (answer.ok) document.cookie = `${hint[1] ?? ''}svc_in=; Path=/; Max-Age=0${hint[1] ? '; Secure' : ''}`;
    })
    .catch(() => undefined);

export {};

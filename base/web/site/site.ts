// Every page: who is signed in is said beside the link to the account. Pages that all visitors share cannot say it
// themselves; the server is asked only where the cookie of a sign-in hints at one.
const account = document.querySelector<HTMLAnchorElement>('[data-me]');
const hint = /(?:^|; )(__Host-)?svc_in=1(?:;|$)/.exec(document.cookie);

if (account?.dataset.me && hint)
  void fetch(account.dataset.me)
    .then(async (answer) => {
      if (answer.ok) {
        const name = ((await answer.json()) as { data?: { user?: { display_name?: string; login?: string } } }).data?.user;
        const said = name?.display_name || name?.login;
        if (said) {
          const small = document.createElement('small');
          small.textContent = said;
          account.append(small);
        }
      } else if (answer.status === 401) document.cookie = `${hint[1] ?? ''}svc_in=; Path=/; Max-Age=0${hint[1] ? '; Secure' : ''}`;
    })
    .catch(() => undefined);

export {};

// Components whose code is loaded when they are first shown.
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

// `shape` stands there meanwhile. A load that fails is thrown where the component stands, for the boundary around it.
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  shape: () => ComponentChildren = () => null,
): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [failure, setFailure] = useState<Error | null>(null);
    const [, setLoaded] = useState(!!found);
    useEffect(() => {
      if (found) return;
      let is_shown = true;
      load().then(
        (module) => {
          found = module.default;
          if (is_shown) setLoaded(true);
        },
        (error: Error) => is_shown && setFailure(error),
      );
      return () => {
        is_shown = false;
      };
    }, []);
    if (failure) throw failure;
    const Found = found;
    return Found ? <Found {...props} /> : <>{shape()}</>;
  };
}

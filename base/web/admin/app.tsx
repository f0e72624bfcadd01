// The admin's entry.
import { render } from 'preact';

render(<p>svc</p>, document.getElementById('app')!);

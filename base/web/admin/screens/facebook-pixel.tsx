// Facebook Pixel: id and token, what is reported to Meta, and its answers.
import { t } from '../../kit/i18n';
import { type Partner, Tracking } from '../tracking';

const meta: Partner = {
  title: t('Facebook Pixel'),
  sub: t('Tells Meta which visits of your advertising became bookings.'),
  root: '/facebook-pixel',
  logs: '/facebook-pixel/event-logs',
  name: 'Meta',
  id: {
    name: 'pixel_id',
    label: t('Pixel id'),
    where: t('In Meta’s Events Manager: Data sources, your pixel, Settings. Digits alone.'),
    place: '123456789012345',
  },
  secret: {
    name: 'access_token',
    label: t('Access token'),
    where: t('In the same place below “Conversions API”: Generate access token. It is not shown again here.'),
  },
  tests: [
    { path: '/facebook-pixel/test', label: t('Test the id') },
    { path: '/facebook-pixel/test-token', label: t('Test the token') },
  ],
  server: t('Purchases and refunds reach Meta although a browser blocks its script. It needs the access token.'),
  testing: {
    name: 'test_event_code',
    kind: 'text',
    label: t('Test event code'),
    help: t('From the tab “Test events” of the Events Manager. Empty it afterwards: test events count for nothing.'),
  },
  testing_on: t('A test event code is set: what this server reports counts for nothing at Meta.'),
  parameters: {
    name: 'parameter_mapping',
    title: t('Parameters of your own'),
    help: t('What events tell Meta besides, for custom conversions and audiences.'),
    label: t('Name of the parameter'),
  },
  consent: t(
    'Visitors are asked first: without their consent to marketing nothing reaches Meta, neither from the browser nor from this server. With it, the e-mail address of a booking is sent as a fingerprint (SHA-256), never in plain text.',
  ),
  causes: {
    form: t('A pixel id has 6 to 20 digits and nothing else.'),
    no_secret: t('The id has the right form. Enter the access token too: only then Meta says whether it knows the id.'),
    no_id: t('The token is right. Enter the pixel’s id too, so that the right to report for it is checked.'),
  },
};

export default function FacebookPixel() {
  return <Tracking partner={meta} />;
}

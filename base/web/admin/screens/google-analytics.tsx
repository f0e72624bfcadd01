// Google Analytics: id and secret, what is reported to Google, and its answers.
import { t } from '../../kit/i18n';
import { type Partner, Tracking } from '../tracking';

const google: Partner = {
  title: t('Google Analytics'),
  sub: t('Counts visits, and which of them became bookings.'),
  root: '/google-analytics',
  logs: '/google-analytics/logs',
  name: 'Google',
  id: {
    name: 'measurement_id',
    label: t('Measurement id'),
    where: t('In Google Analytics: Admin, Data streams, your web stream. It begins with G-.'),
    place: 'G-ABC1234567',
  },
  secret: {
    name: 'api_secret',
    label: t('API secret'),
    where: t('In the same web stream: Measurement Protocol API secrets, Create. It is not shown again here.'),
  },
  tests: [
    { path: '/google-analytics/validate/measurement-id', label: t('Test the id') },
    { path: '/google-analytics/test', label: t('Test id and secret') },
  ],
  server: t('Purchases and refunds reach Google although a browser blocks its script. It needs the API secret.'),
  testing: {
    name: 'debug_mode',
    kind: 'boolean',
    label: t('Test mode'),
    help: t('Events appear in DebugView, and Google checks each one of this server before it is sent.'),
  },
  testing_on: t('The test mode is on: events are marked for DebugView.'),
  parameters: {
    name: 'custom_dimensions',
    title: t('Custom dimensions'),
    help: t(
      'What events tell besides. Make a dimension of the same name in Google Analytics: Admin, Custom definitions, scope Event.',
    ),
    label: t('Name of the dimension'),
  },
  consent: t(
    'Visitors are asked first: without their consent to statistics nothing reaches Google, neither from the browser nor from this server. Names and e-mail addresses are never sent.',
  ),
  causes: {
    form: t(
      'A measurement id looks like G-ABC1234567. One that begins with UA- is of the Analytics that ended in 2023.',
    ),
    unproven: t(
      'Google finds no fault. It never says whether it knows a secret: switch on the test mode, make a booking and look for it in DebugView.',
    ),
    no_secret: t('Enter an API secret: none is stored.'),
  },
};

export default function GoogleAnalytics() {
  return <Tracking partner={google} />;
}

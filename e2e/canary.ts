/** The value that `npm test` builds with instead of each secret: no file for browsers may contain it. */
export const buildCanary = 'a-secret-that-got-out';

export const secretSettings = [
  'AUTH_SECRET',
  'AUTH_SECRET_ALSO_ACCEPTED',
  'DATA_SECRET',
  'DATA_SECRET_ALSO_ACCEPTED',
  'ARCHIVE_KEY',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_WEBHOOK_SECRET_ALSO_ACCEPTED',
  'WHATSAPP_ACCESS_TOKEN',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_APP_SECRET_ALSO_ACCEPTED',
  'WHATSAPP_VERIFY_TOKEN',
];

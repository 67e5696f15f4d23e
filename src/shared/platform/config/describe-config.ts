import type { Config } from './config.ts'
import { describeRedis } from './redis-url.ts'

/**
 * Returns one line for the log at start: the features that are on, with a host or a name, and the features that are off. It
 * contains no secret and no whole URL, because a URL can contain a secret.
 */
export function describeConfig(config: Config): string {
  const parts: [string, string | undefined][] = [
    ['database', [config.DATABASE_URL, ...config.DATABASE_READ_URL].map(hostOf).join(', replica ')],
    ['queues', config.REDIS_URL ? describeRedis(config.REDIS_URL) : 'in the database'],
    ['mail', hostOf(config.SMTP_URL)],
    ['payments', config.STRIPE_SECRET_KEY && (hostOf(config.STRIPE_API_BASE) ?? 'Stripe')],
    ['uploads', config.S3_BUCKET ? `bucket ${config.S3_BUCKET}` : config.DATA_DIR],
    ['push', config.FIREBASE_SERVICE_ACCOUNT && 'Firebase'],
    ['Zoom', config.ZOOM_CLIENT_ID && 'connected'],
    ['Google Meet', config.GOOGLE_CLIENT_ID && 'connected'],
    ['weather', hostOf(config.WEATHER_API_BASE)],
    ['traces', hostOf(config.OTEL_EXPORTER_OTLP_ENDPOINT)],
    ["operators' pages", config.OPS_USER && `user ${config.OPS_USER}`],
    ['trusted proxies', config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES.join(' ') : undefined],
  ]
  const on = parts.flatMap(([name, what]) => (what ? [`${name} (${what})`] : []))
  const off = parts.flatMap(([name, what]) => (what ? [] : [name]))
  return `on: ${on.join(', ')}${off.length > 0 ? `; off: ${off.join(', ')}` : ''}`
}

function hostOf(url: string | undefined): string | undefined {
  return url ? new URL(url).host : undefined
}

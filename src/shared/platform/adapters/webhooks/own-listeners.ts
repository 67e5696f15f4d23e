import type { Config } from '../../config/config.ts'
import { parseRedisUrl } from '../../config/redis-url.ts'
import type { ResolveName } from './resolve-name.ts'

/** The addresses and ports on which this installation and its backing services listen. No webhook is sent there. */
export interface OwnListeners {
  /** The ports of its processes and stand-ins, which may listen on any address of this machine. */
  ports: ReadonlySet<number>
  places: readonly { host: string; port: number }[]
  /** The host of PUBLIC_URL. */
  publicHost: string
}

const usualPorts: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'smtp:': 25,
  'smtps:': 465,
}

/** Returns the listeners in a configuration: API, database, queue, mail, storage, gateway, weather, push, stand-ins. */
export function ownListeners(config: Config): OwnListeners {
  const urls = [
    config.PUBLIC_URL,
    config.DATABASE_URL,
    config.MIGRATION_DATABASE_URL,
    config.QUEUE_DATABASE_URL,
    ...config.DATABASE_READ_URL,
    config.SMTP_URL,
    config.STRIPE_API_BASE,
    config.S3_ENDPOINT,
    config.FIREBASE_API_BASE,
    config.WEATHER_API_BASE,
  ].flatMap((text) => (text && URL.canParse(text) ? [new URL(text)] : []))
  return {
    ports: new Set(
      [
        config.PORT,
        config.WORKER_PORT,
        config.MAIL_WEB_PORT,
        config.MAIL_SMTP_PORT,
        config.STRIPE_SIMULATOR_PORT,
      ].filter((port) => port !== undefined),
    ),
    places: [
      ...urls.map((url) => ({ host: hostOf(url), port: Number(url.port) || (usualPorts[url.protocol] ?? 443) })),
      ...(parseRedisUrl(config.REDIS_URL ?? '')?.nodes ?? []),
    ],
    publicHost: hostOf(new URL(config.PUBLIC_URL)),
  }
}

/** Returns a URL's host in lower case, without brackets and without the final dot of a fully qualified name. */
export function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')
}

/** Returns the addresses to which no webhook on a port may go: those of PUBLIC_URL, and those of the service's listeners on this port. */
export async function ownAddresses(own: OwnListeners, port: number, resolve: ResolveName): Promise<Set<string>> {
  const hosts = own.places.filter((place) => place.port === port).map(({ host }) => host)
  const found = await Promise.all([...new Set([own.publicHost, ...hosts])].map((host) => addressesOf(host, resolve)))
  return new Set(found.flat())
}

async function addressesOf(host: string, resolve: ResolveName): Promise<string[]> {
  if (host === 'localhost') return ['127.0.0.1', '::1']
  return /^[\d.]+$|:/.test(host) ? [host] : resolve(host).catch(() => [])
}

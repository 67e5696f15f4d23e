import { isIP } from 'node:net'
import { type AllowedNetwork, isAllowed } from '../../config/allowed-networks.ts'
import { isPublicAddress } from '../../config/networks.ts'
import { hostOf, type OwnListeners } from './own-listeners.ts'

/** The parsed URL of a receiver of webhooks. */
export interface Target {
  url: URL
  /** The host's name, or its IP address without brackets. */
  host: string
  isAddress: boolean
  port: number
  secure: boolean
}

/** The exceptions to the rules for targets. `allowed`: private networks that the operator allows. `own`: the service's own listeners, which are refused. */
export interface TargetPolicy {
  allowed: readonly AllowedNetwork[]
  own: OwnListeners
  /** The service's own addresses; see `ownAddresses`. */
  ownAddresses: ReadonlySet<string>
}

/** Ports that other protocols use: PostgreSQL, Redis, mail. */
const otherProtocols: ReadonlySet<number> = new Set([5432, 6379, 25, 465, 587])

/** Returns the parsed URL of a receiver, or why it is invalid, as the end of a sentence about the URL. */
export function readTarget(text: string): Target | string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not carry a user or a password'
  const secure = url.protocol === 'https:'
  const host = hostOf(url)
  const isAddress = isIP(host) !== 0
  return { url, host, isAddress, port: Number(url.port) || (secure ? 443 : 80), secure }
}

/**
 * Returns why webhooks cannot go to a target whose name has these addresses, as the end of a sentence; null when every address
 * is allowed. A public address needs https, a host name, and port 443 or a port from 1024 that no other protocol uses. A
 * private address must be on the operator's list, and can use http. Listeners of the service itself are refused.
 * Implements docs/decisions/0018.
 */
export function problemOfTarget(target: Target, addresses: readonly string[], policy: TargetPolicy): string | null {
  const { port, secure, isAddress, host } = target
  const { allowed, own, ownAddresses } = policy
  if (own.places.some((place) => place.host === host && place.port === port)) return ours
  for (const address of addresses) {
    if (isAllowed(allowed, address, port)) {
      const listens = own.places.some((place) => place.port === port) && ownAddresses.has(address)
      if (own.ports.has(port) || listens) return ours
      continue
    }
    if (!isPublicAddress(address))
      return 'must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list'
    if (ownAddresses.has(address)) return ours
    if (!secure) return 'must be an https address'
    if (isAddress) return 'must name a host, not an IP address'
    if (port !== 443 && (port < 1024 || otherProtocols.has(port))) return 'must use port 443 or one from 1024'
  }
  return null
}

const ours = 'must not be an address of this service'

/** Returns whether one of the addresses is private, so that only the operator's list allows the target. */
export function isPrivateTarget(addresses: readonly string[]): boolean {
  return addresses.some((address) => !isPublicAddress(address))
}

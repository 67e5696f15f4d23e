import { Resolver } from 'node:dns/promises'

/** Returns the addresses of a host name, IPv4 first; an empty list when the name has no addresses. */
export type ResolveName = (name: string) => Promise<string[]>

/** DNS errors that mean that a name has no address of one family, IPv4 or IPv6. */
const noAddress: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Resolves a name by DNS without the thread pool, which files and password hashes use, so that a slow name server delays
 * nothing else. A query times out after four seconds.
 * @throws Error when no name server answers
 */
export const resolveName: ResolveName = async (name) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const none = (error: NodeJS.ErrnoException): string[] => {
    if (noAddress.has(error.code)) return []
    throw error
  }
  const [ipv4, ipv6] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)])
  return [...ipv4, ...ipv6]
}

import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    knownMethods: KnownMethods
  }
}

/** The order of `Allow`. */
const order = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

/** The methods that each address of the app has. */
export class KnownMethods {
  /** The methods of the addresses without parameters. */
  readonly #fixed = new Map<string, Set<string>>()
  /** The methods of the others, by their patterns. */
  readonly #varying = new Map<string, { matches: RegExp; methods: Set<string> }>()

  add(url: string, added: readonly string[]): void {
    const methods = /[:*]/.test(url) ? this.#varyingAt(url) : this.#fixedAt(url)
    for (const one of added) methods.add(one)
  }

  /**
   * Returns the methods of a URL in the order of `Allow`; an empty list for an unknown address. Several patterns can
   * match an address; their methods count together, as in the router.
   */
  at(url: string): string[] {
    const path = pathOf(url)
    const matching = [...this.#varying.values()].filter(({ matches }) => matches.test(path))
    const methods = this.#fixed.get(path) ?? new Set(matching.flatMap((one) => [...one.methods]))
    return methods.size === 0 ? [] : order.filter((method) => method === 'OPTIONS' || methods.has(method))
  }

  /**
   * Returns whether the router took a fixed word for a parameter: `GET /reservations/check`, which is only a POST, for
   * the booking with the id `check`.
   */
  isMistaken({ url, method, routeOptions }: Pick<FastifyRequest, 'url' | 'method' | 'routeOptions'>): boolean {
    if (!routeOptions.url?.includes(':')) return false
    return this.#fixed.get(pathOf(url))?.has(method) === false
  }

  #fixedAt(url: string): Set<string> {
    const methods = this.#fixed.get(url) ?? new Set<string>()
    this.#fixed.set(url, methods)
    return methods
  }

  #varyingAt(url: string): Set<string> {
    const known = this.#varying.get(url) ?? { matches: patternOf(url), methods: new Set<string>() }
    this.#varying.set(url, known)
    return known.methods
  }
}

/** Decorates the app with the methods of the routes that are added after this call. */
export function installKnownMethods(app: FastifyInstance): void {
  const known = new KnownMethods()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = [method].flat().filter((one) => one !== 'OPTIONS')
    if (methods.length > 0) known.add(url, methods)
  })
  app.decorate('knownMethods', known)
}

/** Returns the path of a URL as the router reads it. A path that does not decode is no address. */
function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/)
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns the addresses of a route: a parameter is up to 300 characters of one segment, `*` is everything. */
function patternOf(url: string): RegExp {
  const parts = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')
  return new RegExp(`^${parts.replace(/:\w+/g, '[^/]{0,300}')}$`)
}

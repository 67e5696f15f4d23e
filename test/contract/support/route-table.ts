import type { FastifyInstance } from 'fastify'

/**
 * The routes that the app answers, read from its router: `GET /users/{}`. Names of parameters do not matter to a
 * router, which prints the first; HEAD and OPTIONS come with the others.
 */
export function routeTable(app: FastifyInstance): string[] {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', path = '', methods = ''] = /^([│ ├└─]*)(\S.*) \(([A-Z, ]+)\)$/u.exec(line) ?? []
      if (path === '') return []
      const depth = indent.length / 4
      above.length = depth - 1
      above.push(path)
      return methods
        .split(', ')
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
        .map((method) => nameless(`${method} ${above.join('')}`))
    })
    .sort()
}

/** The same endpoint without the names of its parameters. */
export function nameless(endpoint: string): string {
  return endpoint.replace(/:[\w|:]+|\{\w+\}/g, '{}')
}

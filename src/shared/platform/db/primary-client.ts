import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/** SQLSTATE of a write that a read-only server refuses. */
export const READ_ONLY = '25006'

/**
 * Settings that PostgreSQL reports when a connection opens and when they change. `on` means that the server is a
 * standby, or that an operator made it read-only.
 */
const readOnlyBy = new Set(['in_hot_standby', 'default_transaction_read_only'])

interface Reporting {
  connection: EventEmitter & { stream: Socket }
}

/**
 * A connection that only uses a server that accepts writes. It breaks with `READ_ONLY` when the server reports that it
 * is read-only, so that a pool opens the next connection, and neither writes nor reads go to a server that is no longer
 * the primary.
 */
export class PrimaryClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as Reporting
    connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
      const { parameterName: name, parameterValue: value } = status
      if (value !== 'on' || !readOnlyBy.has(name)) return
      connection.stream.destroy(Object.assign(new Error(`${name} is on`), { code: READ_ONLY }))
    })
  }
}

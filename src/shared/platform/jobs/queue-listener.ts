import { EventEmitter } from 'node:events'
import pg from 'pg'

/** What a worker waits on: it looks like a connection of its own, and hears its notifications. */
export interface ListeningClient extends EventEmitter {
  query(text: string, values?: unknown[]): Promise<unknown>
  release(): void
}

/** One connection to PostgreSQL on which all workers of a process wait for their jobs. */
export interface QueueListener {
  client(): ListeningClient
  /** Connections that it has open: one once a worker waits, none before. */
  open(): number
  close(): Promise<void>
}

interface Line {
  client: pg.Client
  connected: Promise<unknown>
  /** The channels that it listens to. */
  channels: Map<string, Promise<unknown>>
}

/**
 * BullMQ would hold one connection of the pool for each worker, only to LISTEN on it, and give it the worker's name.
 * Here they share one: each hears every notification, and looks for its queue's name in it anyway. When the connection
 * breaks, each is told, and asks for another.
 *
 * @param connection for the connection that it opens when the first worker waits
 * @param query where everything but waiting is asked
 */
export function createQueueListener(connection: pg.ClientConfig, query: ListeningClient['query']): QueueListener {
  const clients = new Set<EventEmitter>()
  let line: Line | undefined

  function open(): Line {
    const client = new pg.Client(connection)
    const opened = { client, connected: client.connect(), channels: new Map<string, Promise<unknown>>() }
    const lost = (error: Error) => {
      if (line !== opened) return
      line = undefined
      void client.end().catch(() => {})
      for (const waiting of [...clients]) if (waiting.listenerCount('error') > 0) waiting.emit('error', error)
    }
    client.on('error', lost)
    client.on('end', () => lost(new Error('Connection terminated')))
    client.on('notification', (message) => {
      for (const waiting of [...clients]) waiting.emit('notification', message)
    })
    opened.connected.catch(lost)
    return opened
  }

  async function listen(channel: string): Promise<void> {
    line ??= open()
    const { client, connected, channels } = line
    await connected
    const listening = channels.get(channel) ?? client.query(`listen ${channel}`)
    channels.set(channel, listening)
    // A client whose question failed is of no more use: the next worker opens another.
    await listening.catch((error: Error) => {
      client.emit('error', error)
      throw error
    })
  }

  return {
    client() {
      const client = Object.assign(new EventEmitter(), {
        async query(text: string, values?: unknown[]): Promise<unknown> {
          const channel = /^LISTEN (\w+);?$/m.exec(text)?.[1]
          if (channel) return listen(channel)
          // The name would become the whole process'.
          if (text.includes("set_config('application_name'")) return { rows: [] }
          return query(text, values)
        },
        release: () => void clients.delete(client),
      })
      clients.add(client)
      return client
    },
    open: () => (line ? 1 : 0),
    async close() {
      const closing = line
      line = undefined
      await closing?.connected.catch(() => {})
      await closing?.client.end()
    },
  }
}

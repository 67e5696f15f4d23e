import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { PrimaryClient } from '../db/primary-client.ts'

/** The channel on which BullMQ announces which queue has a job. */
const JOBS_CHANNEL = 'bullmq_jobs'

/** The client on which a BullMQ worker listens. All these clients share one connection. */
export interface ListeningClient extends EventEmitter {
  query(text: string, values?: unknown[]): Promise<unknown>
  release(): void
}

/** The one connection to PostgreSQL on which all workers of a process listen for jobs. */
export interface QueueListener {
  client(): ListeningClient
  /** Wakes the workers of a queue in this process, as a notification does. */
  wake(queue: string): void
  /** Returns the number of open connections: 1 once a worker listens, otherwise 0. */
  open(): number
  close(): Promise<void>
}

interface Line {
  client: pg.Client
  connected: Promise<unknown>
  /** The LISTEN statements of the connection, by channel. */
  channels: Map<string, Promise<unknown>>
}

/**
 * Creates the shared listener. Without it, BullMQ would use one connection of the pool per worker only to LISTEN.
 * Sharing one connection is safe, because BullMQ filters notifications by queue name. When the connection breaks, every
 * worker receives the error and connects again.
 * @param connection options of the connection, which opens when the first worker listens
 * @param query runs every statement other than LISTEN
 */
export function createQueueListener(connection: pg.ClientConfig, query: ListeningClient['query']): QueueListener {
  const clients = new Set<EventEmitter>()
  let line: Line | undefined

  function notify(message: { channel: string; payload?: string | undefined }): void {
    for (const waiting of [...clients]) waiting.emit('notification', message)
  }

  function open(): Line {
    const client = new PrimaryClient(connection)
    const opened = { client, connected: client.connect(), channels: new Map<string, Promise<unknown>>() }
    const lost = (error: Error) => {
      if (line !== opened) return
      line = undefined
      void client.end().catch(() => {})
      for (const waiting of [...clients]) if (waiting.listenerCount('error') > 0) waiting.emit('error', error)
    }
    client.on('error', lost)
    client.on('end', () => lost(new Error('Connection terminated')))
    client.on('notification', notify)
    opened.connected.catch(lost)
    return opened
  }

  async function listen(channel: string): Promise<void> {
    line ??= open()
    const { client, connected, channels } = line
    await connected
    const listening = channels.get(channel) ?? client.query(`listen ${channel}`)
    channels.set(channel, listening)
    // A connection whose LISTEN failed cannot be used again: the next worker opens another.
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
          // The shared connection keeps its own application name.
          if (text.includes("set_config('application_name'")) return { rows: [] }
          return query(text, values)
        },
        release: () => void clients.delete(client),
      })
      clients.add(client)
      return client
    },
    wake: (queue) => notify({ channel: JOBS_CHANNEL, payload: queue }),
    open: () => (line ? 1 : 0),
    async close() {
      const closing = line
      line = undefined
      await closing?.connected.catch(() => {})
      await closing?.client.end()
    },
  }
}

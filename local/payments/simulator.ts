import { bookOf } from './accounts.ts'
import type { Scope } from './endpoint.ts'
import { recordEvent } from './events.ts'
import { Faults } from './faults.ts'
import { forgetOld } from './idempotency.ts'
import { readState, StateFile } from './state-file.ts'
import { emptyState, type State, type WireEvent } from './store.ts'
import { Webhooks } from './webhooks.ts'

/** The API version of the SDK. */
export const API_VERSION = '2026-10-28.endive'

export interface SimulatorOptions {
  secretKey: string
  webhookSecret: string
  /** The webhook's URL; null: events are not sent until it is set. */
  webhookUrl: string | null
  now?: () => Date
  /** The file that stores the state across restarts. */
  stateFile?: string
  /** The base URL of the payers' pages; when absent, the address on which the simulator listens. */
  publicUrl?: string
  /** Delays before each retry of a delivery, in milliseconds. */
  webhookRetryDelaysMs?: readonly number[]
}

const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000]
const REQUESTS_KEPT = 2000
const SWEEP_SECONDS = 3600

/** A logged request. */
export interface LoggedRequest {
  id: string
  method: string
  path: string
  account: string | null
  idempotencyKey: string | null
  /** The status of the answer; null when the connection was cut. */
  status: number | null
  replayed: boolean
  fault: string | null
}

/** The simulator without HTTP: the accounts, the faults, the pending events. */
export class Simulator {
  readonly state: State
  readonly faults = new Faults()
  readonly webhooks: Webhooks
  readonly requests: LoggedRequest[] = []
  readonly secretKey: string
  /** Aborts pending waits when the simulator closes. */
  readonly closing = new AbortController()
  readonly #now: () => Date
  readonly #file: StateFile | null
  #sweepAt = 0

  /** @throws Error when the state file cannot be read. */
  constructor(options: SimulatorOptions) {
    this.secretKey = options.secretKey
    this.#now = options.now ?? (() => new Date())
    this.#file = options.stateFile === undefined ? null : new StateFile(options.stateFile)
    this.state = (options.stateFile === undefined ? null : readState(options.stateFile)) ?? emptyState()
    this.webhooks = new Webhooks({
      url: options.webhookUrl,
      secret: options.webhookSecret,
      retryDelaysMs: options.webhookRetryDelaysMs ?? RETRY_DELAYS_MS,
      changed: () => this.save(),
    })
  }

  /** Seconds since 1970. */
  get now(): number {
    return Math.floor(this.#now().getTime() / 1000)
  }

  /**
   * Returns the context of a handler.
   * @throws StripeFault for an account that is not connected.
   */
  scope(account: string | null, publicUrl: string, request: WireEvent['request']): Scope {
    const { state, now } = this
    const book = bookOf(this, account)
    return {
      state,
      book,
      account,
      now,
      publicUrl,
      emit: (type, object) => {
        this.webhooks.send(recordEvent(book, type, object, { account, apiVersion: API_VERSION, now, request }))
      },
    }
  }

  /** Returns the event of this id, in any account. */
  findEvent(id: string): WireEvent | undefined {
    return [...this.state.books.values()].map(({ events }) => events.get(id)).find((event) => event !== undefined)
  }

  log(request: LoggedRequest): void {
    this.requests.push(request)
    if (this.requests.length > REQUESTS_KEPT) this.requests.shift()
  }

  /** Resumes the deliveries of an earlier run. */
  resume(): void {
    const events = [...this.state.books.values()].flatMap((book) => [...book.events.values()])
    for (const event of events) if (event.pending_webhooks > 0) this.webhooks.send(event)
  }

  /** Schedules a write of the state to the file. Once per hour, first deletes the expired idempotency keys. */
  save(): void {
    if (this.now >= this.#sweepAt) {
      forgetOld(this.state.kept, this.now)
      this.#sweepAt = this.now + SWEEP_SECONDS
    }
    this.#file?.save(this.state)
  }

  async close(): Promise<void> {
    this.closing.abort()
    await this.webhooks.close()
    await this.#file?.close(this.state)
  }
}

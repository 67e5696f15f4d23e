import { bookOf } from './accounts.ts'
import type { Scope } from './endpoint.ts'
import { recordEvent } from './events.ts'
import { Faults } from './faults.ts'
import { forgetOld } from './idempotency.ts'
import { readState, StateFile } from './state-file.ts'
import { emptyState, type State, type WireEvent } from './store.ts'
import { Webhooks } from './webhooks.ts'

/** The API version that the SDK is made for. */
export const API_VERSION = '2026-10-28.endive'

export interface SimulatorOptions {
  secretKey: string
  webhookSecret: string
  /** Where signed events go; null: nowhere, until told. */
  webhookUrl: string | null
  now?: () => Date
  /** Keeps everything in this file over restarts. */
  stateFile?: string
  /** Where payers reach the simulator's pages, if not where it listens. */
  publicUrl?: string
  /** How long to wait before each further try to deliver an event, in milliseconds. */
  webhookRetryDelaysMs?: readonly number[]
}

const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000]
const REQUESTS_KEPT = 2000
const SWEEP_SECONDS = 3600

/** One request, for those who want to know what was asked. */
export interface LoggedRequest {
  id: string
  method: string
  path: string
  account: string | null
  idempotencyKey: string | null
  /** What was answered; null when the connection was cut instead. */
  status: number | null
  replayed: boolean
  fault: string | null
}

/** The simulator without its wire: the books, the faults, the events on their way. */
export class Simulator {
  readonly state: State
  readonly faults = new Faults()
  readonly webhooks: Webhooks
  readonly requests: LoggedRequest[] = []
  readonly secretKey: string
  /** Ends what is being waited for when the simulator closes. */
  readonly closing = new AbortController()
  readonly #now: () => Date
  readonly #file: StateFile | null
  #sweepAt = 0

  /** Throws when the state file cannot be read. */
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

  /** What a handler works with. Throws the fault for an account that is not connected. */
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

  /** The event of this id, in whichever books. */
  findEvent(id: string): WireEvent | undefined {
    return [...this.state.books.values()].map(({ events }) => events.get(id)).find((event) => event !== undefined)
  }

  log(request: LoggedRequest): void {
    this.requests.push(request)
    if (this.requests.length > REQUESTS_KEPT) this.requests.shift()
  }

  /** Takes up the deliveries that an earlier run left. */
  resume(): void {
    const events = [...this.state.books.values()].flatMap((book) => [...book.events.values()])
    for (const event of events) if (event.pending_webhooks > 0) this.webhooks.send(event)
  }

  /** Keeps the state, soon; now and then without the answers whose time is over. */
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

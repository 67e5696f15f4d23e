/** The parts in the order in which they stop: those that accept requests first, the backing services last. */
const stopOrder = ['note', 'api', 'workers', 'processor', 'weather', 'mail', 'webhooks', 'database'] as const

export type PartName = (typeof stopOrder)[number]

/** The running parts of a local start. `stop` stops each part once, in order; it works during the start too. */
export class ShutdownSequence {
  readonly #stops = new Map<PartName, () => Promise<void>>()
  #stopping: Promise<void> | undefined

  /** Whether the shutdown has begun. */
  get stopping(): boolean {
    return this.#stopping !== undefined
  }

  /** Adds a running part. When the shutdown has begun already, stops the part immediately. */
  async add(name: PartName, stop: () => Promise<void>): Promise<void> {
    if (this.#stopping) await stop()
    else this.#stops.set(name, stop)
  }

  /** Stops all parts; repeated calls return the same promise. A part that fails to stop does not prevent the others. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    for (const name of stopOrder)
      await this.#stops
        .get(name)?.()
        .catch(() => undefined)
  }
}

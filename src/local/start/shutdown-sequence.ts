/** The parts of a stand, in the order in which they stop: who takes requests first, what they stand on last. */
const stopOrder = ['api', 'workers', 'processor', 'mail', 'database'] as const

export type PartName = (typeof stopOrder)[number]

/** What runs so far. Whatever moment the end comes at, each part that came up is stopped, in order, once. */
export class ShutdownSequence {
  readonly #stops = new Map<PartName, () => Promise<void>>()
  #stopping: Promise<void> | undefined

  /** Whether everything is being stopped. */
  get stopping(): boolean {
    return this.#stopping !== undefined
  }

  /** Takes charge of a part. One that comes up while the others are being stopped is stopped at once. */
  async add(name: PartName, stop: () => Promise<void>): Promise<void> {
    if (this.#stopping) await stop()
    else this.#stops.set(name, stop)
  }

  /** Stops everything. Repeating it waits for the same end. A part that fails to stop does not keep the others up. */
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

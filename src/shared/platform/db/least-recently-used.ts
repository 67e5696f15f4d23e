/** Holds up to `most` entries and drops the one that was used longest ago. */
export class LeastRecentlyUsed<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Returns an entry and counts that as its use. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  /**
   * Adds or replaces an entry. Returns the key of the entry that was dropped for it; undefined when none was dropped.
   */
  set(key: string, value: Value): string | undefined {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#most) return undefined
    const [oldest] = this.#entries.keys()
    this.#entries.delete(oldest!)
    return oldest
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}

import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { State } from './store.ts'

/** The shortest time between two writes, in milliseconds. */
const PAUSE_MS = 200

/**
 * Returns the state of an earlier run; null when there is none.
 * @throws Error when the file is not a state file.
 */
export function readState(path: string): State | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    const state = JSON.parse(text, revive) as State
    if ([state.books, state.accounts, state.kept].every((part) => part instanceof Map)) return atRest(state)
  } catch (error) {
    throw new Error(`${path} is damaged: delete it to start with empty books.`, { cause: error })
  }
  throw new Error(`${path} is not a file of the payment simulator.`)
}

/** Stores a state in a file. The file is always complete: a new version replaces it by a rename. */
export class StateFile {
  readonly #path: string
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** Schedules a write after a pause, of the state as it then is. Does nothing when a write is already scheduled. */
  save(state: State): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      // `close()` reports a failed write. Until then the state in memory is complete.
      this.#write(state).catch(() => undefined)
    }, PAUSE_MS)
  }

  /** Writes the state now; resolves when it is stored. */
  async close(state: State): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    await this.#write(state)
  }

  #write(state: State): Promise<void> {
    const text = JSON.stringify(state, write)
    const draft = `${this.#path}.new`
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        await mkdir(dirname(this.#path), { recursive: true })
        await writeFile(draft, text, { mode: 0o600 })
        await rename(draft, this.#path)
      })
    return this.#writing
  }
}

/** Returns the state without the requests that were running when the earlier run ended. */
function atRest(state: State): State {
  return { ...state, kept: new Map([...state.kept].filter(([, { answer }]) => answer !== null)) }
}

const MAP = 'map of'

function write(_name: string, value: unknown): unknown {
  return value instanceof Map ? { [MAP]: [...value] } : value
}

function revive(_name: string, value: unknown): unknown {
  const entries = typeof value === 'object' && value !== null && MAP in value ? value[MAP] : null
  return Array.isArray(entries) ? new Map(entries) : value
}

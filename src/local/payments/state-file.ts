import { readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { State } from './store.ts'

/** Writes at most this often, in milliseconds. */
const PAUSE_MS = 200

/** The state that an earlier run left; null when there is none. Throws for a file that is not one of ours. */
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

/** Keeps a state in a file, which is whole at any moment: the new one takes the old one's place when it is written. */
export class StateFile {
  readonly #path: string
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** Writes the state soon, as it is then. */
  save(state: State): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      // A file that cannot be written shows when it is closed; until then the books are right in memory.
      this.#write(state).catch(() => undefined)
    }, PAUSE_MS)
  }

  /** Writes the state now and answers when it is kept. */
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

/** What was going on when the earlier run ended goes on no more. */
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

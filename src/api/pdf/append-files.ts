import { Worker } from 'node:worker_threads'
import type { AppendTask, FileToAppend } from './append-thread.ts'

/** The most pages of one file. */
const MOST_PAGES = 20
/** How long one file may take, and the memory of the thread. */
const LIMIT_MS = 5_000
const MEMORY_MB = 192

/** The files of a document, each as the pages of a PDF; null for one that cannot be appended. */
export type Flattened = (Uint8Array | null)[]

/**
 * Flattens files in a thread of their own, with limits of time, memory and pages, because people upload them. A file that the thread cannot
 * read in time is null, and the next one gets a new thread.
 */
export async function flattenFiles(files: readonly FileToAppend[]): Promise<Flattened> {
  return withThread(async (run) => {
    const flat: Flattened = []
    for (const file of files) flat.push(await run({ kind: 'flatten', file, mostPages: MOST_PAGES }))
    return flat
  })
}

/**
 * Appends flattened files to a document, with a note at the foot of each of their pages.
 * @throws Error when the thread fails
 */
export async function appendFiles(
  document: Uint8Array,
  appendices: readonly Uint8Array[],
  note: string,
): Promise<Buffer> {
  if (appendices.length === 0) return Buffer.from(document)
  const whole = await withThread((run) => run({ kind: 'append', document, appendices, note }))
  if (!whole) throw new Error('the documents of a packet could not be appended')
  return Buffer.from(whole)
}

type Run = (task: AppendTask) => Promise<Uint8Array | null>

/** Runs tasks in a thread, one after another. A thread that ends or takes too long answers null and is replaced. */
async function withThread<T>(work: (run: Run) => Promise<T>): Promise<T> {
  let thread: Worker | null = null
  const end = async () => {
    const old = thread
    thread = null
    await old?.terminate()
  }
  const run: Run = async (task) => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | null>()
    const timer = setTimeout(() => resolve(null), LIMIT_MS)
    const fresh = thread === null
    thread ??= new Worker(new URL('./append-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      execArgv: [],
    })
    const worker = thread
    const answered = (message: 'ready' | Uint8Array | null) => {
      if (message === 'ready') worker.postMessage(task)
      else resolve(message)
    }
    worker.on('message', answered)
    worker.once('error', () => resolve(null))
    worker.once('exit', () => resolve(null))
    if (!fresh) worker.postMessage(task)
    const bytes = await promise
    clearTimeout(timer)
    worker.removeAllListeners()
    // An error of a thread without a listener would end the process.
    worker.on('error', () => undefined)
    if (bytes === null) await end()
    return bytes
  }
  try {
    return await work(run)
  } finally {
    await end()
  }
}

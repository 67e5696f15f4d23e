import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { checkPasswordLength, judgedPart, personalWords } from './password.rules.ts'

/** The message to the worker thread. */
export interface EstimateRequest {
  password: string
  words: string[]
}

/** The result of the worker thread: zxcvbn's score from 0 to 4, and how to improve the password. */
export interface Estimate {
  score: number
  advice: string
}

/** Estimates the strength of new passwords on a worker thread. */
export interface PasswordJudge {
  /**
   * Refuses a password that is too short, too long or easy to guess. A password made of words of the person's name or
   * address is easy to guess.
   * Implements interface §Authentication and accounts, POST /users.
   */
  check(password: string, about: { name: string; email: string }): Promise<void>
  /**
   * Starts the thread and resolves when its word lists are loaded. Without this call, the thread starts at the first
   * check.
   */
  warm(): Promise<void>
  close(): Promise<void>
}

const QUEUE = 64
const ANSWER_MS = 2_000
/** An estimate takes about 0.1 s; a thread that is busy with one estimate for this long is replaced. */
const STUCK_MS = 10_000
const LEAST_SCORE = 2

interface Waiting {
  ask: EstimateRequest
  answer: Promise<Estimate>
  resolve(judged: Estimate): void
  reject(error: unknown): void
  deadline?: NodeJS.Timeout
}

function tooEasy(advice: string) {
  return identityErrors.passwordWeak({ advice: advice.trim() })
}

/**
 * Returns a `PasswordJudge`. Its thread starts at the first use. After a failure, a new thread starts at the next use.
 */
export function createPasswordJudge(): PasswordJudge {
  let thread: Thread | undefined
  const running = () => {
    thread ??= startThread(() => {
      thread = undefined
    })
    return thread
  }
  return {
    async check(password, about) {
      checkPasswordLength(password)
      const { score, advice } = await running().judge({ password: judgedPart(password), words: personalWords(about) })
      if (score < LEAST_SCORE) throw tooEasy(advice)
    },
    warm: () => running().ready,
    close: async () => {
      await thread?.stop()
    },
  }
}

interface Thread {
  ready: Promise<void>
  judge(ask: EstimateRequest): Promise<Estimate>
  stop(): Promise<void>
}

function startThread(onEnd: () => void): Thread {
  const worker = new Worker(new URL('./password-thread.ts', import.meta.url))
  // The thread does not keep an otherwise idle process alive.
  worker.unref()
  const started = Promise.withResolvers<void>()
  let up = false
  let waiting: Waiting[] = []
  let judging: Waiting | undefined
  let stuck: NodeJS.Timeout | undefined

  const drop = (one: Waiting) => {
    waiting = waiting.filter((other) => other !== one)
    one.reject(platformErrors.busy())
  }
  const limit = (one: Waiting) => {
    one.deadline = setTimeout(drop, ANSWER_MS, one)
  }
  const next = () => {
    judging = waiting.shift()
    if (!judging) return
    stuck = setTimeout(() => void worker.terminate(), STUCK_MS).unref()
    worker.postMessage(judging.ask)
  }
  worker.on('message', (message: 'ready' | Estimate) => {
    if (message === 'ready') {
      up = true
      for (const one of waiting) limit(one)
      started.resolve()
    } else {
      clearTimeout(stuck)
      clearTimeout(judging?.deadline)
      judging?.resolve(message)
    }
    next()
  })
  worker.on('error', () => {})
  worker.on('exit', () => {
    onEnd()
    clearTimeout(stuck)
    for (const one of judging ? [judging, ...waiting] : waiting) {
      clearTimeout(one.deadline)
      one.reject(platformErrors.busy())
    }
    waiting = []
    started.resolve()
  })

  return {
    ready: started.promise,
    async judge(ask) {
      const asked = judging ? [judging, ...waiting] : waiting
      // Equal requests are estimated once, such as when a form is submitted twice.
      const same = asked.find((one) => isDeepStrictEqual(one.ask, ask))
      if (same) return same.answer
      if (asked.length >= QUEUE) throw platformErrors.busy()
      const { promise: answer, resolve, reject } = Promise.withResolvers<Estimate>()
      const one: Waiting = { ask, answer, resolve, reject }
      waiting.push(one)
      // The time limit starts when the word lists are loaded.
      if (up) limit(one)
      if (up && !judging) next()
      return answer
    },
    async stop() {
      await worker.terminate()
    },
  }
}

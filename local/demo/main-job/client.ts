import { setTimeout as sleep } from 'node:timers/promises'
import { stepLine } from './report-lines.ts'

/** Thrown for an answer that the demo does not expect. The message contains the step and the answer. */
export class UnexpectedAnswer extends Error {}

interface Request<T> {
  /** The printed name of the step. */
  step: string
  token?: string
  body?: unknown
  /** The expected status. */
  expect: number
  /** How many milliseconds `callUntil` repeats the request; 15,000 when absent. */
  withinMs?: number
  /**
   * Returns the printed summary of the answer.
   * @throws Error when the answer is wrong.
   */
  summarize(data: T): string
}

/** Makes real requests, checks each answer and prints one line per request. */
export interface DemoReporter {
  call<T = unknown>(method: string, path: string, request: Request<T>): Promise<T>
  /** Repeats a request until `fits` returns true for the answer. Prints one line for all repetitions. */
  callUntil<T>(method: string, path: string, request: Request<T>, fits: (data: T) => boolean): Promise<T>
  /** Prints a step that is not a request to the API, such as a mail that arrives. */
  step<T>(printed: { step: string; method: string; path: string }, take: () => Promise<StepResult<T>>): Promise<T>
}

interface StepResult<T> {
  result: T
  status: number
  outcome: string
}

const WITHIN_MS = 15_000
/** The most times that a request is repeated. */
const MOST_TIMES = 300

/** Returns a reporter that sends requests to the API at `apiUrl` and prints numbered lines. */
export function createDemoReporter(apiUrl: string, print: (line: string) => void): DemoReporter {
  let number = 0
  const ask = async <T>(method: string, path: string, request: Request<T>) => {
    const { token, body } = request
    const response = await fetch(apiUrl + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    const text = await response.text()
    if (response.status !== request.expect) {
      throw new UnexpectedAnswer(`${request.step}: ${method} ${path} answered ${response.status}\n${text}`)
    }
    return (text === '' ? undefined : JSON.parse(text).data) as T
  }
  const printAnswer = <T>(method: string, path: string, request: Request<T>, data: T) => {
    number += 1
    print(
      stepLine(number, { step: request.step, method, path, status: request.expect, outcome: request.summarize(data) }),
    )
    return data
  }
  return {
    async call(method, path, request) {
      return printAnswer(method, path, request, await ask(method, path, request))
    },
    async callUntil(method, path, request, fits) {
      const look = async () => {
        const answer = await ask(method, path, request)
        return fits(answer) ? answer : undefined
      }
      const data = await until(request.step, look, request.withinMs)
      return printAnswer(method, path, request, data)
    },
    async step(printed, take) {
      const { result, status, outcome } = await take()
      number += 1
      print(stepLine(number, { ...printed, status, outcome }))
      return result
    },
  }
}

/**
 * Repeats `look` until it returns a value, and returns the value.
 * @throws UnexpectedAnswer naming the step when there is no value after `withinMs` milliseconds.
 */
export async function until<T>(step: string, look: () => Promise<T | undefined>, withinMs = WITHIN_MS): Promise<T> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(withinMs / MOST_TIMES)
  }
  throw new UnexpectedAnswer(`${step}: nothing within ${withinMs / 1000} seconds`)
}

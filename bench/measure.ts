import autocannon from 'autocannon'

/**
 * Runs one side of a comparison once. Returns its figure: operations per second, unless the scenario's name states
 * another unit.
 */
export type Run = () => Promise<number>

export interface Comparison {
  name: string
  /** A description of the floor (the minimal baseline, `theirs`), for the table. */
  floor: string
  /**
   * The lowest ratio of the service's figure (`ours`) to the floor's (`theirs`) that is acceptable; absent when there
   * is no aim.
   */
  aim?: number
  ours: Run
  theirs: Run
}

export interface Outcome {
  name: string
  floor: string
  aim: number | undefined
  ours: number
  theirs: number
  ratio: number
}

const RUNS = 5

/**
 * Runs both sides alternately: once to warm up, then five times. Returns the median of each side and the median of the
 * five ratios.
 */
export async function compare(comparison: Comparison): Promise<Outcome> {
  await comparison.ours()
  await comparison.theirs()
  const pairs: { ours: number; theirs: number }[] = []
  for (let run = 0; run < RUNS; run++) {
    const theirs = await comparison.theirs()
    const ours = await comparison.ours()
    pairs.push({ ours, theirs })
  }
  const { name, floor, aim } = comparison
  return {
    name,
    floor,
    aim,
    ours: median(pairs.map((pair) => pair.ours)),
    theirs: median(pairs.map((pair) => pair.theirs)),
    ratio: median(pairs.map((pair) => pair.ours / pair.theirs)),
  }
}

/** Returns the median of the values; for an even number of values, the higher of the two middle ones; for no values, 0. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export interface Load {
  url: string
  headers?: Record<string, string>
  seconds?: number
  connections?: number
}

/**
 * Sends requests to a server for `seconds`. Returns the responses per second.
 * @throws Error when a request fails or a response has a status other than 2xx
 */
export async function requestsPerSecond({ url, headers = {}, seconds = 2, connections = 16 }: Load): Promise<number> {
  const result = await autocannon({ url, headers, duration: seconds, connections })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** Returns the outcomes as a Markdown table. */
export function table(outcomes: Outcome[]): string {
  const rows = outcomes.map(
    ({ name, floor, ours, theirs, ratio, aim }) =>
      `| ${name} | ${floor} | ${Math.round(ours)} | ${Math.round(theirs)} | **${ratio.toFixed(2)}** | ${aim ?? ''} |`,
  )
  return ['| scenario | floor | ours, 1/s | floor, 1/s | ratio | aim |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

import autocannon from 'autocannon'

/** Runs one side of a comparison once. Returns how many it did per second. */
export type Run = () => Promise<number>

export interface Comparison {
  name: string
  /** What the floor does, for the table. */
  floor: string
  /** The least ratio of the service to the floor that is aimed for; absent for none. */
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
 * Runs both sides in turn, five times after a warm-up. Returns the median of each side and the median of the five
 * ratios.
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

/** Returns the median of some figures, of an even number the upper of the two in the middle; 0 for none. */
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
 * Loads a server for some seconds. Returns the 2xx responses per second.
 * @throws Error when a request fails or is answered with another status
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

import autocannon from 'autocannon'

/** One side of a comparison: how many a second it did in one run. */
export type Run = () => Promise<number>

export interface Comparison {
  name: string
  /** What the floor is, in words. */
  floor: string
  /** The ratio that we aim for, where there is one. */
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

/** Runs both sides in turn, five times after a warm-up, and takes the medians: of each side, and of the ratio pair by pair. */
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

/** The middle of some figures. */
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

/** Requests a second that a server answers with 2xx. @throws Error when it answers anything else. */
export async function requestsPerSecond({ url, headers = {}, seconds = 2, connections = 16 }: Load): Promise<number> {
  const result = await autocannon({ url, headers, duration: seconds, connections })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** Prints a table of outcomes in Markdown. */
export function table(outcomes: Outcome[]): string {
  const rows = outcomes.map(
    ({ name, floor, ours, theirs, ratio, aim }) =>
      `| ${name} | ${floor} | ${Math.round(ours)} | ${Math.round(theirs)} | **${ratio.toFixed(2)}** | ${aim ?? ''} |`,
  )
  return ['| scenario | floor | ours, 1/s | floor, 1/s | ratio | aim |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

import autocannon from 'autocannon'

/** Runs one side of a row once. Returns its figure, in the row's unit. */
export type Run = () => Promise<number>

/**
 * What a figure must reach: at least this ratio to the other side's, at most this ratio, or at most this value. A row
 * that misses its aim by more than a tenth fails the command.
 */
export type Aim = { ratio: number } | { ratioAtMost: number } | { atMost: number }

/** A row of the table. */
export interface Comparison {
  name: string
  /** The unit of both figures; `1/s` when absent. */
  unit?: string
  /** What `theirs` is, such as the floor: the least work that could give the same result. Absent: a figure alone. */
  floor?: string
  aim?: Aim
  ours: Run
  /** The other side; null when it cannot be measured here, as a peer that is not installed. */
  theirs?: Run | null
  /** The number of measured runs of each side, instead of `RUNS` after one that is not measured. */
  runs?: number
}

export interface Outcome extends Pick<Comparison, 'name' | 'unit' | 'floor' | 'aim'> {
  ours: number
  /** Null: there is no other side, or it was not measured. */
  theirs: number | null
  ratio: number | null
  /** Null when there is no aim, or the other side was not measured. */
  isMet: boolean | null
}

const RUNS = 5
/** The part of an aim by which a figure may miss it: what differs between runs of the same code. */
const TOLERANCE = 0.1

/**
 * Runs both sides alternately: once to warm up, then five times. Returns the median of each side and the median of the
 * five ratios.
 */
export async function compare(comparison: Comparison): Promise<Outcome> {
  const { ours, theirs, runs = RUNS, name, unit, floor, aim } = comparison
  if (comparison.runs === undefined) {
    await ours()
    await theirs?.()
  }
  const pairs: { ours: number; theirs: number | null }[] = []
  for (let run = 0; run < runs; run++) {
    const floorRun = theirs ? await theirs() : null
    pairs.push({ ours: await ours(), theirs: floorRun })
  }
  const isAlone = !theirs
  const figures = {
    ours: median(pairs.map((pair) => pair.ours)),
    theirs: isAlone ? null : median(pairs.map((pair) => pair.theirs ?? 0)),
    ratio: isAlone ? null : median(pairs.map((pair) => pair.ours / (pair.theirs ?? 1))),
  }
  return { name, unit, floor, aim, ...figures, isMet: isMet(aim, figures) }
}

/** Returns whether figures reach an aim, or miss it by a tenth at most; null when that was not measured. */
export function isMet(aim: Aim | undefined, { ours, ratio }: Pick<Outcome, 'ours' | 'ratio'>): boolean | null {
  if (!aim) return null
  if ('atMost' in aim) return ours <= aim.atMost * (1 + TOLERANCE)
  if (ratio === null) return null
  return 'ratio' in aim ? ratio >= aim.ratio * (1 - TOLERANCE) : ratio <= aim.ratioAtMost * (1 + TOLERANCE)
}

/** Returns the median of the values; for an even number of values, the higher of the two middle ones; for no values, 0. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export interface Load {
  url: string
  headers?: Record<string, string>
  /** Requests that are sent in turn instead of one with `headers`. */
  requests?: { headers: Record<string, string> }[]
  seconds?: number
  connections?: number
}

/**
 * Sends requests to a server for `seconds`. Returns the responses per second.
 * @throws Error when a request fails or a response has a status other than 2xx
 */
export async function requestsPerSecond(load: Load): Promise<number> {
  const { url, headers = {}, requests, seconds = 2, connections = 16 } = load
  const result = await autocannon({ url, headers, duration: seconds, connections, ...(requests && { requests }) })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** Returns the outcomes as a Markdown table. Figures that miss their aim by more than a tenth are marked. */
export function table(outcomes: Outcome[]): string {
  const rows = outcomes.map(({ name, unit = '1/s', floor, ours, theirs, ratio, aim, isMet: met }) => {
    const [side, relation] = floor
      ? [theirs === null ? 'not measured' : short(theirs), ratio === null ? 'not measured' : `**${ratio.toFixed(2)}**`]
      : ['', '']
    const cells = [name, floor ?? '', unit, short(ours), side, relation, wordsOf(aim, unit)]
    return `| ${cells.join(' | ')}${met === false ? ', missed' : ''} |`
  })
  const head = ['scenario', 'compared with', 'unit', 'ours', 'theirs', 'ratio', 'aim']
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
}

/** Returns a figure with three digits or more. */
function short(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : figure.toFixed(figure >= 10 ? 1 : 2)
}

function wordsOf(aim: Aim | undefined, unit: string): string {
  if (!aim) return ''
  if ('atMost' in aim) return `at most ${aim.atMost} ${unit}`
  return 'ratio' in aim ? `ratio ${aim.ratio.toFixed(2)}` : `ratio at most ${aim.ratioAtMost}`
}

/** What a drill came to. */
export interface DrillResult {
  fault: string
  load: string
  lost: number
  /** BusyTime more than once by the receiving side, outside the window that the protocol leaves open. */
  doubled: number
  /** BusyTime twice because the worker was killed between the server's answer and the commit. */
  inWindow: number
  /** Seconds from the end of the fault until everything enqueued by then had arrived; or the longest wait, if others take over during the fault. */
  recoverySeconds: number
}

const results: DrillResult[] = []

/** Takes a row of the table, and prints it at once; the table is printed at the end. */
export function report(result: DrillResult): DrillResult {
  results.push(result)
  process.stdout.write(`${cellsOf(result).join(', ')}\n`)
  return result
}

/** Prints the table of all drills so far. */
export function printTable(): void {
  const header = ['fault', 'load', 'lost', 'doubled', 'doubled in the window', 'recovery']
  const rows = results.map(cellsOf)
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  process.stdout.write(`\n${[line(header), rule, ...rows.map(line)].join('\n')}\n`)
}

function cellsOf(one: DrillResult): string[] {
  const { fault, load, lost, doubled, inWindow, recoverySeconds } = one
  return [fault, load, String(lost), String(doubled), String(inWindow), `${recoverySeconds.toFixed(1)} s`]
}

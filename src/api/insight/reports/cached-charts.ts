import type { Chart } from './chart.ts'
import { renderChart, type Theme } from './render-chart.ts'

const KEPT_MS = 60_000
const MOST_KEPT = 200

const cache = new Map<string, { svg: string; until: number }>()

/**
 * Returns an organization's chart as SVG. It is cached for a minute by its key, which contains the reader's rights and
 * the parameters.
 */
export async function chartOf(
  organizationId: number,
  key: string,
  { now, theme }: { now: Date; theme: Theme | undefined },
  read: () => Promise<Chart>,
): Promise<string> {
  const at = now.getTime()
  const known = cache.get(`${organizationId} ${key}`)
  if (known && at < known.until) return known.svg
  const svg = await renderChart(await read(), theme)
  if (cache.size >= MOST_KEPT) cache.delete(cache.keys().next().value ?? '')
  cache.set(`${organizationId} ${key}`, { svg, until: at + KEPT_MS })
  return svg
}

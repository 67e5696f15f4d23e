import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import type { RevenueRow } from '../../../shared/insight/reports/money.queries.ts'
import {
  type Grouping,
  groupStarts,
  MOST_BARS,
  usualGrouping,
} from '../../../shared/insight/reports/report-window.rules.ts'
import type { UtilizationRow } from '../../../shared/insight/reports/utilization.queries.ts'
import type { Interval } from '../../../shared/platform/kernel/instants.ts'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { type Chart, valueInWords } from './chart.ts'
import type { ReportContext } from './define-report.ts'

/** The most resources of a chart. Each resource has two bars. */
const MOST_RESOURCES = MOST_BARS / 2

/** Returns the chart of utilization: booked and flown hours of the resources that are used most. */
export function utilizationChart(rows: UtilizationRow[], { window, zone }: ReportContext): Chart {
  const used = rows
    .filter((row) => row.bookedMinutes > 0 || row.flights > 0)
    .sort((a, b) => b.bookedMinutes - a.bookedMinutes || b.hobbsDeciHours - a.hobbsDeciHours)
  const shown = used.slice(0, MOST_RESOURCES)
  const booked = shown.map((row) => round(row.bookedMinutes / 60))
  const flown = shown.map((row) => row.hobbsDeciHours / 10)
  const left = used.length - shown.length
  return {
    title: `Utilization, ${spanOf(window(), zone)}`,
    subtitle:
      `${valueInWords(sum(booked), 'hours')} booked, ${valueInWords(sum(flown), 'hours')} flown` +
      (left > 0 ? `; the ${shown.length} most booked of ${used.length}` : ''),
    description: shown.map((row, at) => `${row.name}: ${booked[at]} hours booked, ${flown[at]} hours flown.`).join(' '),
    categories: shown.map((row) => row.name),
    series: [
      { name: 'Booked', values: booked },
      { name: 'Flown', values: flown },
    ],
    stacked: false,
    unit: 'hours',
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the chart of revenue: one bar per day, week or month, stacked by kind of line. */
export function revenueChart(
  rows: RevenueRow[],
  { window, zone, settings, parameters }: ReportContext<{ groupBy?: Grouping | undefined }>,
): Chart {
  const grouping = parameters.groupBy ?? usualGrouping(window(), zone)
  const starts = groupStarts(window(), grouping, zone)
  if (starts.length > MOST_BARS) {
    throw insightErrors.tooManyBars({ limit: MOST_BARS, grouping })
  }
  const unit = { currency: settings.currency }
  const kinds = [...new Set(rows.map((row) => row.kind))]
  const cents = new Map(rows.map((row) => [`${row.period} ${row.kind}`, row.revenueCents]))
  const total = (of: RevenueRow[]) => valueInWords(sum(of.map((row) => row.revenueCents)) / 100, unit)
  return {
    title: `Revenue by ${grouping}, ${spanOf(window(), zone)}`,
    subtitle: `${total(rows)} in all`,
    description: starts
      .map((start) => [start, rows.filter((row) => row.period === start)] as const)
      .filter(([, own]) => own.length > 0)
      .map(([start, own]) => `${dayInWords(start)}: ${total(own)}.`)
      .join(' '),
    categories: starts.map((start) => categoryOf(start, grouping)),
    series: kinds.map((kind) => ({
      name: inWords(kind),
      values: starts.map((start) => (cents.get(`${start} ${kind}`) ?? 0) / 100),
    })),
    stacked: true,
    unit,
  }
}

function spanOf({ start, end }: Interval, zone: string): string {
  const [first, last] = [localDate(start, zone), localDate(new Date(end.getTime() - 1), zone)]
  return first === last ? dayInWords(first) : `${dayInWords(first)} to ${dayInWords(last)}`
}

function dayInWords(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return `${months[month - 1]} ${day}, ${year}`
}

function categoryOf(date: string, grouping: Grouping): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return grouping === 'month' ? `${months[month - 1]} ${year}` : `${months[month - 1]} ${day}`
}

function inWords(kind: string): string {
  const words = kind.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function round(hours: number): number {
  return Math.round(hours * 10) / 10
}

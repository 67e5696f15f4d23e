import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { cents } from '../../../shared/platform/kernel/units.ts'

/** A bar chart: one category per entry of the horizontal axis, one value per series and category. */
export interface Chart {
  title: string
  subtitle: string
  /** The chart in words, for screen readers. */
  description: string
  categories: string[]
  series: { name: string; values: number[] }[]
  stacked: boolean
  /** The unit of the values: whole units of a currency, or hours. */
  unit: { currency: string } | 'hours'
}

/** Returns the text of a value with its unit. */
export function valueInWords(value: number, unit: Chart['unit']): string {
  if (unit === 'hours') return `${Number(value.toFixed(1))} h`
  return formatMoney(cents(Math.round(value * 100)), unit.currency)
}

import { BarChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Chart } from './chart.ts'

use([BarChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])

/** The font names are chosen to need no quotes, because the renderer does not escape quotes in an attribute. */
const FONT = 'system-ui, sans-serif'
/** The number of names from which they are rotated, and the width in pixels that they then take. */
const MANY_NAMES = 11
const ASLANT_WIDTH = 90

interface DrawingOptions {
  /** The colours of the series, in CSS. */
  colours: string[]
  /** Returns the text at a value of the vertical axis. */
  axisLabel(value: number): string
}

/** Draws a bar chart as SVG text. Colours are CSS variables that the style of the document defines. */
export function drawBars(
  chart: Chart,
  size: { width: number; height: number },
  { colours, axisLabel }: DrawingOptions,
): string {
  const drawing = init(null, null, { renderer: 'svg', ssr: true, ...size })
  try {
    const faint = { color: 'var(--faint)', fontFamily: FONT, fontSize: 12 }
    drawing.setOption({
      animation: false,
      color: colours,
      textStyle: { fontFamily: FONT },
      title: {
        text: chart.title,
        subtext: chart.subtitle,
        left: 16,
        top: 12,
        textStyle: { color: 'var(--ink)', fontFamily: FONT, fontSize: 18, fontWeight: 600 },
        subtextStyle: { ...faint, fontSize: 13 },
      },
      legend: { show: chart.series.length > 1, bottom: 8, left: 16, silent: true, itemGap: 18, textStyle: faint },
      grid: {
        left: 24,
        right: 24,
        top: 80,
        bottom: chart.series.length > 1 ? 48 : 24,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
      xAxis: {
        type: 'category',
        data: chart.categories,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: 'var(--faint)' } },
        axisLabel: { ...faint, ...labelsOf(chart, size.width) },
      },
      yAxis: {
        type: 'value',
        splitLine: { lineStyle: { color: 'var(--edge)' } },
        axisLabel: { ...faint, formatter: axisLabel },
      },
      series: chart.series.map(({ name, values }) => ({
        type: 'bar',
        name,
        data: values,
        silent: true,
        barMaxWidth: 48,
        emphasis: { disabled: true },
        ...(chart.stacked && { stack: 'all' }),
      })),
    })
    return drawing.renderToSVGString({ useViewBox: true })
  } finally {
    drawing.dispose()
  }
}

/** Returns the names below the bars. Days, weeks and months are left out where they do not fit; other names never. */
function labelsOf({ categories, stacked }: Chart, width: number) {
  if (stacked) return { hideOverlap: true }
  const names = { interval: 0, overflow: 'truncate' as const }
  if (categories.length >= MANY_NAMES) return { ...names, rotate: 45, width: ASLANT_WIDTH }
  return { ...names, width: Math.floor((width * 0.85) / Math.max(categories.length, 1)) }
}

import { BarChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Chart } from './chart.ts'

use([BarChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
/** The most characters of a name below its bar. */
const LABEL_WIDTH = 110

interface DrawingOptions {
  /** A colour for each series, in CSS. */
  colours: string[]
  /** Returns the text at a value of the vertical axis. */
  axisLabel(value: number): string
}

/** Draws a bar chart as SVG text, in the process. Colours are variables that the document's style defines. */
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
        ...{ left: 24, right: 24, top: 80, bottom: chart.series.length > 1 ? 48 : 24 },
        ...{ outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      },
      xAxis: {
        type: 'category',
        data: chart.categories,
        axisTick: { show: false },
        axisLine: { lineStyle: { color: 'var(--faint)' } },
        axisLabel: { ...faint, hideOverlap: true, width: LABEL_WIDTH, overflow: 'truncate' },
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

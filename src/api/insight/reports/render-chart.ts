import { escapeHtml } from '../../../shared/platform/kernel/text.ts'
import { type Chart, valueInWords } from './chart.ts'

export type Theme = 'light' | 'dark'

/** The colours of a chart. The colours of series differ also for people with red-green colour blindness. */
const palettes = {
  light: {
    paper: '#ffffff',
    ink: '#12202f',
    faint: '#5a6875',
    edge: '#dde3ea',
    series: ['#1b5e9b', '#d9822b', '#2a8c82', '#8a4fa0', '#b8a12b', '#5a6875', '#a3261f', '#6fa8dc'],
  },
  dark: {
    paper: '#10151a',
    ink: '#f2f6fa',
    faint: '#a9b7c4',
    edge: '#2c3844',
    series: ['#4d9be0', '#f0a35b', '#4fc2b5', '#c08ad6', '#e0cb5a', '#93a3b2', '#ff9b93', '#a9cdf0'],
  },
}

const SIZE = { width: 960, height: 480 }

/**
 * Returns the chart as an SVG document, without scripts and external addresses. The given theme decides the colours;
 * without one, the reader's system preference.
 */
export async function renderChart(chart: Chart, theme: Theme | undefined): Promise<string> {
  const { drawBars } = await import('./draw-bars.ts')
  const drawing = drawBars(chart, SIZE, optionsOf(chart))
  return drawing.replace(
    /^<svg ([^>]*)>/,
    (_all, attributes: string) =>
      `<svg ${attributes} role="img" aria-labelledby="title description"><title id="title">${escapeHtml(chart.title)}</title>` +
      `<desc id="description">${escapeHtml(chart.description)}</desc><style>${styleOf(theme)}</style>` +
      `<rect width="100%" height="100%" fill="var(--paper)"></rect>`,
  )
}

function styleOf(theme: Theme | undefined): string {
  if (theme) return `svg{color-scheme:${theme};${variables(theme)}}`
  const dark = `@media (prefers-color-scheme:dark){svg{${variables('dark')}}}`
  return `svg{color-scheme:light dark;${variables('light')}}${dark}`
}

function variables(theme: Theme): string {
  const { series, ...named } = palettes[theme]
  const all = [...Object.entries(named), ...series.map((colour, index) => [`series-${index}`, colour])]
  return all.map(([name, colour]) => `--${name}:${colour}`).join(';')
}

function optionsOf({ unit, series }: Chart) {
  return {
    colours: series.map((_one, index) => `var(--series-${index % palettes.light.series.length})`),
    axisLabel: (value: number) =>
      unit === 'hours' ? valueInWords(value, unit) : valueInWords(value, unit).replace(/\.00$/, ''),
  }
}

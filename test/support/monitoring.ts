import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export const monitoringFolder = join(import.meta.dirname, '../../docs/monitoring')

/** An expression over metrics, and where it is defined. */
export interface Query {
  name: string
  expr: string
}

/** Returns the expressions of the alert rules. */
export function alertQueries(): Query[] {
  const { groups } = parse(readFileSync(join(monitoringFolder, 'alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[]
  }
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ name: alert, expr })))
}

/** Returns the sections of docs/operations.md that the alert rules name, by rule; undefined where one names none. */
export function alertPages(): [string, string | undefined][] {
  const { groups } = parse(readFileSync(join(monitoringFolder, 'alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string; annotations: { page?: string } }[] }[]
  }
  return groups.flatMap(({ rules }) =>
    rules.map(({ alert, annotations }): [string, string | undefined] => [alert, annotations.page]),
  )
}

/** Returns the expressions of the dashboard's panels. */
export function dashboardQueries(): Query[] {
  const { panels } = JSON.parse(readFileSync(join(monitoringFolder, 'dashboard.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  return panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ name: title, expr })))
}

/** Returns the metrics of an expression: every name that is not a function, a label, a number or a keyword. */
export function metricsOf(expr: string): string[] {
  return [...expr.matchAll(/\b((?:flightline|nodejs|process)_\w+|up)\b/g)].map(([, name = '']) => name)
}

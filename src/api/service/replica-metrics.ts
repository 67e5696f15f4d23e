import { Gauge, type Registry } from 'prom-client'
import type { Services } from '../http/services.ts'

/** Declares the metrics of replicas, and returns the function that reads them; without replicas there are none. */
export function replicaMetrics(registry: Registry, { readPlaces }: Services): () => void {
  if (!readPlaces) return () => undefined
  const reads = new Gauge({
    name: 'flightline_reads',
    help: 'Lists and reports since the start by place: replica, primary; of those on the primary: pinned (after a write), repeated (a replica failed)',
    labelNames: ['place'],
    registers: [registry],
  })
  const lag = new Gauge({
    name: 'flightline_replica_lag_seconds',
    help: 'How far each replica is behind at most; -1: gone, or more than a minute',
    labelNames: ['replica'],
    registers: [registry],
  })
  return () => {
    for (const [place, count] of Object.entries(readPlaces.counts)) reads.set({ place }, count)
    for (const { name, lagMs } of readPlaces.lags()) lag.set({ replica: name }, lagMs === null ? -1 : lagMs / 1_000)
  }
}

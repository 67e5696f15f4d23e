import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import { countWaiting, waitReasons } from '../../shared/communication/webhooks/webhook.queries.ts'
import { type HealthParts, neededByApi } from '../../shared/composition/health.ts'
import { findBackupAges } from '../../shared/platform/db/backup-mark.ts'
import { whyHeld } from '../../shared/platform/db/hold.ts'
import { countMissedWebhooks, findStuck } from '../../shared/platform/jobs/counts.queries.ts'
import type { Services } from '../http/services.ts'

/**
 * Adds the metrics of states that operators have to act on. Returns the function that reads them. While the process is
 * not ready, only readiness and free disk space are read.
 */
export function stateMetrics(registry: Registry, services: Services): (parts: HealthParts) => Promise<void> {
  const { pool } = services.database
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const ready = gauge('flightline_ready', '1 when this process can work, as GET /health/ready says')
  const disk = gauge('flightline_disk_free_bytes', 'Free bytes where DATA_DIR is')
  const stuck = gauge('flightline_jobs_stuck', 'Jobs that are due and not done: tried more than once, or not begun', [
    'job',
  ])
  const held = gauge('flightline_held', '1 while nothing leaves the service after a restore')
  const backups = gauge(
    'flightline_backup_age_seconds',
    'Seconds since the last backup, its journal and the last archived write-ahead log (wal)',
    ['kind'],
  )
  const missed = gauge(
    'flightline_gateway_webhooks_missed',
    'Events of the payment gateway within the last 24 hours that no webhook brought',
  )
  const waiting = gauge('flightline_webhooks_waiting', 'Webhooks that are not sent yet: limit, failed, turn', ['state'])
  const waitingFor = gauge('flightline_webhooks_waiting_seconds', 'Age of the oldest webhook that is not sent yet', [
    'state',
  ])
  return async (parts) => {
    const isReady = neededByApi.every((part) => parts[part] === 'ok')
    ready.set(isReady ? 1 : 0)
    // Before the first upload the directory does not exist.
    const { DATA_DIR } = services.config
    const { bavail, bsize } = await statfs(DATA_DIR)
      .catch(() => statfs(dirname(DATA_DIR)))
      .catch(() => ({ bavail: Number.NaN, bsize: 1 }))
    disk.set(bavail * bsize)
    stuck.reset()
    backups.reset()
    waiting.reset()
    waitingFor.reset()
    if (!isReady) return
    for (const { job, count } of await findStuck(pool)) stuck.set({ job }, count)
    for (const { kind, seconds } of await findBackupAges(pool)) backups.set({ kind }, seconds)
    const pending = new Map((await countWaiting(services.database.db)).map((one) => [one.state, one]))
    for (const state of waitReasons) {
      waiting.set({ state }, pending.get(state)?.count ?? 0)
      waitingFor.set({ state }, pending.get(state)?.oldestSeconds ?? 0)
    }
    held.set((await whyHeld(pool)) === null ? 0 : 1)
    missed.set(await countMissedWebhooks(pool))
  }
}

/** Declares the metrics of replicas, and returns the function that reads them; without replicas there are none. */
export function replicaMetrics(registry: Registry, { readPlaces }: Pick<Services, 'readPlaces'>): () => void {
  if (!readPlaces) return () => undefined
  const reads = new Gauge({
    name: 'flightline_reads',
    help: 'Reads since the start by place: replica, primary; of those on the primary: pinned (after a write), repeated (refused or failed on a replica)',
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

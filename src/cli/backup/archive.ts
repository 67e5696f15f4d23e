import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { serviceKey } from '../../shared/platform/adapters/tokens/sealing.ts'

/** A file of a backup: its path below the folder, its size and its checksum. */
const File = z.strictObject({ path: z.string(), bytes: z.int(), sha256: z.string() })

const Manifest = z.strictObject({
  format: z.literal('flightline backup 1'),
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Whether tables and uploads are encrypted with age. Size and checksum are of the encrypted bytes. */
  encrypted: z.boolean(),
  migrations: z.array(z.string()),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()), rows: z.int(), file: File })),
  sequences: z.array(z.strictObject({ name: z.string(), value: z.string(), called: z.boolean() })),
  uploads: z.array(File),
  /** What the backup does not contain, as sentences for the operator. */
  leftOut: z.array(z.string()),
})

/** The contents of a backup. */
export type Manifest = z.infer<typeof Manifest>
export type BackupFile = z.infer<typeof File>

const MANIFEST = 'manifest.json'
const SEAL = 'manifest.hmac'
/**
 * `NAME` matches a table or column, `PATH` the path of a table's file or of an upload; neither can lead out of the
 * folder.
 */
const NAME = /^[a-z_][a-z0-9_]*$/
const PATH = /^(tables\/[a-z_][a-z0-9_]*\.copy|uploads(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+)$/

/** Writes the manifest, and its seal with the service's key. */
export async function writeManifest(folder: string, manifest: Manifest, keySet: JSONWebKeySet): Promise<void> {
  const text = `${JSON.stringify(Manifest.parse(manifest), null, 2)}\n`
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flag: 'wx' })
  await writeFile(join(folder, SEAL), `${sealOf(text, keySet)}\n`, { mode: 0o600, flag: 'wx' })
}

/**
 * Reads and checks the manifest of a backup, before anything else of the backup is used.
 * @throws Error when no key of the set sealed the manifest, or it lists anything but tables and uploads
 */
export async function readManifest(folder: string, keySet: JSONWebKeySet): Promise<Manifest> {
  const [text, seal] = await Promise.all([MANIFEST, SEAL].map((name) => readFile(join(folder, name), 'utf8')))
  if (!isSealed(text ?? '', seal?.trim() ?? '', keySet))
    throw new Error(
      `${folder} was not sealed with a key of AUTH_KEYS: it is another service's, whose keys have to be given, or was changed`,
    )
  const manifest = Manifest.parse(JSON.parse(text ?? ''))
  const names = manifest.tables.flatMap(({ name, columns }) => [name, ...columns])
  const paths = [...manifest.tables.map(({ file }) => file), ...manifest.uploads].map(({ path }) => path)
  const odd = [...names.filter((name) => !NAME.test(name)), ...paths.filter((path) => !PATH.test(path))]
  if (odd.length > 0) throw new Error(`${folder} names what no backup of ours has: ${odd[0]}`)
  return manifest
}

/**
 * Checks a file of a backup against its manifest.
 * @throws Error when it is not a plain file, or its size or checksum differs
 */
export async function checkFile(folder: string, file: BackupFile): Promise<void> {
  const found = await describeFile(folder, file.path)
  if (found.sha256 !== file.sha256 || found.bytes !== file.bytes) throw new Error(`${file.path} is damaged`)
}

/**
 * Returns the size and checksum of a file below a folder.
 * @throws Error when it is not a plain file
 */
export async function describeFile(folder: string, path: string): Promise<BackupFile> {
  const full = join(folder, path)
  const facts = await lstat(full)
  if (!facts.isFile()) throw new Error(`${path} is no plain file`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(full), hash)
  return { path, bytes: facts.size, sha256: hash.digest('hex') }
}

/** Returns whether the seal of a text was made with a key of the set. */
export function isSealed(text: string, seal: string, keySet: JSONWebKeySet): boolean {
  return keySet.keys.some((key) => same(sealOf(text, { keys: [key] }), seal))
}

/** Returns the seal of a text: its HMAC-SHA256 with the first key of the set, in hexadecimal digits. */
export function sealOf(text: string, keySet: JSONWebKeySet): string {
  return createHmac('sha256', serviceKey(keySet, 'backups')).update(text).digest('hex')
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

import { stat } from 'node:fs/promises'
import { isRoot, type RunAs, run } from './run-as.ts'

/** Any id but root's serves a server that listens on 127.0.0.1 only; this one is nobody's on every common system. */
const NOBODY = 65534

/**
 * Who runs PostgreSQL on the cluster at `cluster`, which need not exist yet. As root: the cluster's owner when that is
 * an ordinary user, so that the data stay theirs, and otherwise the user `postgres`, created when the machine lacks it.
 * As an ordinary user: themselves; throws when the cluster belongs to somebody else.
 */
export async function userFor(cluster: string): Promise<RunAs> {
  const owner = await stat(cluster).catch(() => undefined)
  if (!isRoot()) {
    if (owner !== undefined && owner.uid !== process.geteuid?.()) {
      throw new Error(
        `The database in ${cluster} belongs to another user (uid ${owner.uid}): start as them or as root.`,
      )
    }
    return {}
  }
  return owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : unprivilegedUser()
}

async function unprivilegedUser(): Promise<RunAs> {
  const existing = await idsOf('postgres')
  if (existing !== undefined) return existing
  await run('groupadd', ['--system', 'postgres'])
  await run('useradd', ['--system', '-g', 'postgres', '-M', '-d', '/nonexistent', '-s', '/bin/false', 'postgres'])
  return (await idsOf('postgres')) ?? (await idsOf('nobody')) ?? { uid: NOBODY, gid: NOBODY }
}

async function idsOf(name: string): Promise<RunAs | undefined> {
  const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  const [uid, gid] = [Number(user.output), Number(group.output)]
  return user.ok && group.ok && uid > 0 && gid > 0 ? { uid, gid } : undefined
}

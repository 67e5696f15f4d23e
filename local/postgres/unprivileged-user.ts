import { stat } from 'node:fs/promises'
import { isRoot, type RunAs, run } from './run-as.ts'

/** Any id except root's works for a server on 127.0.0.1. On common systems this one has no user, or `nobody`. */
const NOBODY = 65534

/**
 * Returns who runs PostgreSQL on the cluster at `cluster`, which may not exist yet. As root: the cluster's owner when
 * that is an ordinary user, otherwise the user `postgres`, created when missing. As an ordinary user: that user.
 * @throws Error when the cluster belongs to somebody else.
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

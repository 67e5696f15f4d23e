import { describe, expect, test } from 'vitest'
import { generateKeySet } from '../../src/shared/platform/adapters/tokens/access-tokens.ts'
import { createRecordKeys } from '../../src/shared/platform/adapters/tokens/record-keys.ts'

const message = Buffer.from('leaf')

describe('the keys that seal what is signed', () => {
  test('still make the codes of an earlier key after a rotation, found by its id', async () => {
    const [old, made] = [await generateKeySet(), await generateKeySet()]
    const before = createRecordKeys(old)
    const after = createRecordKeys({ keys: [...made.keys, ...old.keys] })
    expect([after.keyId, before.keyId]).toEqual([made.keys[0]?.kid, old.keys[0]?.kid])
    expect(after.authenticate(message, before.keyId)).toEqual(before.authenticate(message))
    expect(after.authenticate(message)).not.toEqual(before.authenticate(message))
    expect(before.authenticate(message, after.keyId)).toBeNull()
  })

  test('are private keys with an id', async () => {
    const { keys } = await generateKeySet()
    const [{ d: _private, ...publicHalf }, { kid: _id, ...nameless }] = [keys[0]!, keys[0]!]
    for (const wrong of [[], [publicHalf], [nameless]]) {
      expect(() => createRecordKeys({ keys: wrong })).toThrow('the first key must be a private Ed25519 key with a kid')
    }
  })
})

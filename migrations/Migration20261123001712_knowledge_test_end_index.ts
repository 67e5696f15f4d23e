import { Migration } from '@mikro-orm/migrations'

/** The knowledge tests that end, in their order. */
export class Migration20261123001712_knowledge_test_end_index extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(
      'create index concurrently if not exists training_test_expires on training_test (expires_at) where expires_at is not null',
    )
  }
}

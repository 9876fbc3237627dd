/**
 * What a migration may do while instances of the release before it serve requests. Whatever is not known to be harmless
 * is a finding. Tables that the migration itself creates are empty and unused: with these it may do everything.
 */
import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint, DropStmt, IndexStmt, Node } from 'libpg-query';
import { parse } from 'libpg-query';
import type { Migration } from '../operations/migrations-folder';

/** What the earlier migrations since the baseline have done. */
interface Past {
  /** Added columns (`table.column`), which the release before does not write. */
  columns: Set<string>;
  /** By `table.constraint`, checks that say only that a column is not null, with that column. */
  notNullChecks: Map<string, string>;
  /** Columns (`table.column`) that a validated check keeps from being null. */
  neverNull: Set<string>;
}

interface File {
  isContract: boolean;
  past: Past;
  tables: Set<string>;
  functions: Set<string>;
  /**
   * Dropped constraints (`table.constraint`). One leaves the set when a check of its name is added, which is assumed to
   * be wider.
   */
  droppedConstraints: Set<string>;
  /** Tables in use that it locks: tills wait until it ends. */
  lockedTables: Set<string>;
}

/** Returns findings like `0019_notes: an index is built concurrently …`. */
export async function lintMigrations(migrations: Migration[]): Promise<string[]> {
  const findings: string[] = [];
  const past: Past = { columns: new Set(), notNullChecks: new Map(), neverNull: new Set() };
  for (const { tag, statements, isAtomic, compatibleSince } of migrations) {
    const file: File = {
      isContract: compatibleSince !== 0,
      past,
      tables: new Set(),
      functions: new Set(),
      droppedConstraints: new Set(),
      lockedTables: new Set(),
    };
    const problems: Problem[] = [
      compatibleSince === null && 'its first line says neither "-- expand" nor "-- contract, for releases since …"',
    ];
    for (const text of statements) {
      const nodes = ((await parse(text)).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);
      problems.push(!isAtomic && nodes.length !== 1 && 'between two breakpoints is exactly one statement');
      for (const node of nodes) problems.push(...(isAtomic ? checkOfTransaction(node, file) : checkAlone(node, file)));
    }
    problems.push(...[...file.droppedConstraints].map((name) => inContract(`dropping the constraint ${name}`, file)));
    const locked = [...file.lockedTables].join(', ');
    problems.push(file.lockedTables.size > 1 && `it locks several tables in use (${locked}): one in each migration`);
    findings.push(...problems.filter((problem) => problem !== false).map((problem) => `${tag}: ${problem}`));
  }
  return findings;
}

type Problem = string | false;

const inContract = (what: string, { isContract }: File): Problem =>
  !isContract && `${what} breaks the release before: it belongs into a contract migration of a later release`;

/** Checks statements that take long, but block nothing. They must be repeatable, because a run may be interrupted. */
function checkAlone(node: Node, file: File): Problem[] {
  if ('IndexStmt' in node) return checkIndex(node.IndexStmt, file);
  if ('DropStmt' in node && node.DropStmt.removeType === 'OBJECT_INDEX') {
    const { concurrent, missing_ok } = node.DropStmt;
    return [
      inContract('dropping an index', file),
      !(concurrent && missing_ok) && 'use DROP INDEX CONCURRENTLY IF EXISTS',
    ];
  }
  if ('AlterTableStmt' in node) {
    const commands = commandsOf(node.AlterTableStmt);
    const table = node.AlterTableStmt.relation?.relname;
    for (const { name } of commands) {
      const column = file.past.notNullChecks.get(`${table}.${name}`);
      if (column) file.past.neverNull.add(`${table}.${column}`);
    }
    if (commands.every(({ subtype }) => subtype === 'AT_ValidateConstraint')) return [];
  }
  if ('DoStmt' in node) {
    const isInBatches = ['commit', 'skip locked'].every((word) => JSON.stringify(node).toLowerCase().includes(word));
    return [!isInBatches && 'fill rows in batches: FOR UPDATE SKIP LOCKED, and COMMIT after each'];
  }
  return ['this statement belongs into a migration that is one transaction'];
}

function checkOfTransaction(node: Node, file: File): Problem[] {
  if ('CreateStmt' in node) {
    file.tables.add(node.CreateStmt.relation?.relname ?? '');
    return [];
  }
  if ('CreateFunctionStmt' in node) {
    file.functions.add(lastName(node.CreateFunctionStmt.funcname));
    return [];
  }
  if ('AlterTableStmt' in node) return checkTable(node.AlterTableStmt, file);
  if ('CreateTrigStmt' in node) {
    return lock(node.CreateTrigStmt.relation?.relname, file) ? [inContract('a trigger on a table in use', file)] : [];
  }
  if ('CreatePolicyStmt' in node) {
    const { table, permissive } = node.CreatePolicyStmt;
    return lock(table?.relname, file) ? [!permissive && inContract('a restrictive policy', file)] : [];
  }
  if ('AlterPolicyStmt' in node) {
    return lock(node.AlterPolicyStmt.table?.relname, file) ? [inContract('changing a policy', file)] : [];
  }
  if ('IndexStmt' in node) {
    if (file.tables.has(node.IndexStmt.relation?.relname ?? '')) return [];
    return ['an index on a table that is in use is built by a migration of its own, one statement at a time'];
  }
  if ('DropStmt' in node) return checkDrop(node.DropStmt, file);
  if ('GrantStmt' in node) {
    const { is_grant, objtype, objects } = node.GrantStmt;
    const [first] = objects ?? [];
    const isOwn =
      (objtype === 'OBJECT_FUNCTION' || objtype === 'OBJECT_PROCEDURE') && first && 'ObjectWithArgs' in first
        ? file.functions.has(lastName(first.ObjectWithArgs.objname))
        : first && 'RangeVar' in first && file.tables.has(first.RangeVar.relname ?? '');
    return [!is_grant && !isOwn && inContract('revoking a right', file)];
  }
  if ('InsertStmt' in node) {
    const { relation, selectStmt } = node.InsertStmt;
    const isValues = selectStmt && 'SelectStmt' in selectStmt && selectStmt.SelectStmt.valuesLists;
    return [!isValues && !file.tables.has(relation?.relname ?? '') && fillInBatches];
  }
  if ('UpdateStmt' in node || 'DeleteStmt' in node) {
    const { relation } = 'UpdateStmt' in node ? node.UpdateStmt : node.DeleteStmt;
    return [!file.tables.has(relation?.relname ?? '') && fillInBatches];
  }
  if ('RenameStmt' in node)
    return ['renaming breaks one of the two releases: add the new name, copy, and drop the old one later'];
  if ('AlterEnumStmt' in node && !node.AlterEnumStmt.oldVal) return [];
  return [!harmless.some((kind) => kind in node) && `${Object.keys(node)[0]} is not known to be harmless`];
}

const harmless = ['CreateEnumStmt', 'CreateSeqStmt', 'ViewStmt', 'CommentStmt'];
const fillInBatches =
  'rows of a table in use are changed in batches: by DO, in a migration with one statement at a time';

/** Notes that a statement locks a table. Returns whether the table is in use. */
function lock(table: string | undefined, { tables, lockedTables }: File): boolean {
  const isInUse = !tables.has(table ?? '');
  if (isInUse) lockedTables.add(table ?? '');
  return isInUse;
}

function checkTable(statement: AlterTableStmt, file: File): Problem[] {
  const table = statement.relation?.relname ?? '';
  if (!lock(table, file)) return [];
  return commandsOf(statement).flatMap((command) => checkCommand(command, table, file));
}

function checkCommand({ subtype, name, def }: AlterTableCmd, table: string, file: File): Problem[] {
  switch (subtype) {
    case 'AT_AddColumn': {
      if (!def || !('ColumnDef' in def)) break;
      file.past.columns.add(`${table}.${def.ColumnDef.colname}`);
      return checkNewColumn(def.ColumnDef);
    }
    case 'AT_AddConstraint':
      if (!def || !('Constraint' in def)) break;
      return checkNewConstraint(def.Constraint, table, file);
    case 'AT_DropConstraint':
      file.droppedConstraints.add(`${table}.${name}`);
      return [];
    case 'AT_DropNotNull':
    // Such a trigger fires only for what a subscription writes, so neither release is affected.
    case 'AT_EnableReplicaTrig':
      return [];
    case 'AT_ColumnDefault':
      return [!def && inContract('dropping a default', file)];
    case 'AT_DropColumn':
      return [inContract('dropping a column', file)];
    case 'AT_SetNotNull':
      return [
        inContract('NOT NULL', file),
        !file.past.neverNull.has(`${table}.${name}`) &&
          `SET NOT NULL reads the whole table under a lock: first add CHECK (${name} IS NOT NULL) NOT VALID, and validate it in the next migration`,
      ];
    case 'AT_ValidateConstraint':
      return ['a constraint is validated by a migration of its own, one statement at a time'];
    case 'AT_AlterColumnType':
      return ['another type rewrites the table: add a new column, copy, and drop the old one later'];
  }
  return [`${subtype} is not known to be harmless on a table in use`];
}

function checkNewColumn({ colname, typeName, constraints = [] }: ColumnDef): Problem[] {
  const all = constraints.flatMap((node) => ('Constraint' in node ? node.Constraint : []));
  const given = all.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;
  const isRequired = all.some(({ contype }) => contype === 'CONSTR_NOTNULL');
  const others = all.some(({ contype = '' }) => !['CONSTR_DEFAULT', 'CONSTR_NOTNULL', 'CONSTR_NULL'].includes(contype));
  return [
    (/serial/.test(lastName(typeName?.names)) || (given !== undefined && !isConstant(given))) &&
      `${colname} has a value of its own in each row, which rewrites the table: add it without, and fill it in batches`,
    isRequired && !given && `${colname} is new: nullable, or with a constant default`,
    others && `constraints of the new column ${colname} are added by themselves, NOT VALID`,
  ];
}

/**
 * Also true for functions that are constant within a statement, like now(): the value is stored once, without a
 * rewrite.
 */
function isConstant(node: Node): boolean {
  if ('TypeCast' in node) return node.TypeCast.arg !== undefined && isConstant(node.TypeCast.arg);
  if ('A_ArrayExpr' in node) return (node.A_ArrayExpr.elements ?? []).every(isConstant);
  if ('FuncCall' in node) return lastName(node.FuncCall.funcname) === 'now';
  return 'A_Const' in node || 'SQLValueFunction' in node;
}

function checkNewConstraint(constraint: Constraint, table: string, file: File): Problem[] {
  const { contype, conname, indexname, raw_expr, fk_attrs } = constraint;
  if (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY') {
    return [!indexname && 'build the unique index concurrently first, and add the constraint USING INDEX'];
  }
  if (contype !== 'CONSTR_CHECK' && contype !== 'CONSTR_FOREIGN') return [`${contype} is not known to be harmless`];
  const columns = contype === 'CONSTR_CHECK' ? columnsIn(raw_expr) : (fk_attrs ?? []).map((node) => lastName([node]));
  if (raw_expr && 'NullTest' in raw_expr && raw_expr.NullTest.nulltesttype === 'IS_NOT_NULL') {
    file.past.notNullChecks.set(`${table}.${conname}`, columns[0] ?? '');
  }
  const isWider = contype === 'CONSTR_CHECK' && file.droppedConstraints.delete(`${table}.${conname}`);
  return [
    !constraint.skip_validation &&
      `${conname} reads the whole table under a lock: add it NOT VALID, and validate it in the next migration`,
    !isWider && !namesNewColumn(columns, table, file) && inContract(`${conname}, on columns that it writes,`, file),
  ];
}

/** True if one of the columns is new. The release before leaves it at its default. */
const namesNewColumn = (columns: string[], table: string, { past }: File) =>
  columns.some((column) => past.columns.has(`${table}.${column}`));

function checkIndex(index: IndexStmt, file: File): Problem[] {
  const columns = (index.indexParams ?? []).flatMap((node) => ('IndexElem' in node ? (node.IndexElem.name ?? []) : []));
  return [
    !(index.concurrent && index.if_not_exists && index.idxname) &&
      'use CREATE INDEX CONCURRENTLY IF NOT EXISTS, with a name',
    index.unique === true &&
      !namesNewColumn(columns, index.relation?.relname ?? '', file) &&
      inContract('a unique index on columns that it writes', file),
  ];
}

function checkDrop({ removeType, objects = [] }: DropStmt, file: File): Problem[] {
  if (removeType === 'OBJECT_INDEX') return ['an index is dropped by a migration of its own, one statement at a time'];
  for (const node of objects) {
    const names = 'List' in node ? (node.List.items ?? []) : [];
    // The names of a policy or trigger are the table's, then its own.
    if (removeType === 'OBJECT_TABLE') lock(lastName(names), file);
    if (removeType === 'OBJECT_POLICY' || removeType === 'OBJECT_TRIGGER') lock(lastName(names.slice(0, -1)), file);
  }
  return [inContract(`dropping (${removeType})`, file)];
}

const commandsOf = ({ cmds = [] }: AlterTableStmt): AlterTableCmd[] =>
  cmds.flatMap((node) => ('AlterTableCmd' in node ? node.AlterTableCmd : []));

/** The last part of a qualified name. */
function lastName(names: Node[] = []): string {
  const last = names.at(-1);
  return last && 'String' in last ? (last.String.sval ?? '') : '';
}

/** The columns that an expression names. */
function columnsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('ColumnRef' in value) return [lastName((value.ColumnRef as { fields?: Node[] }).fields)];
  return Object.values(value).flatMap(columnsIn);
}

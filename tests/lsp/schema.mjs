// SPDX-License-Identifier: Apache-2.0
// JSON schemas of the protocol's messages, made from its own machine-readable definition (metaModel.json).
// Stricter than the protocol's readers have to be: an object may have no property that its definition
// does not name, so that a misspelled field of ours is found.
import fs from 'node:fs';

const kIntegerLimit = 2 ** 31;
const kBase = {
  string: { type: 'string' },
  DocumentUri: { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:' },
  URI: { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:' },
  RegExp: { type: 'string' },
  integer: { type: 'integer', minimum: -kIntegerLimit, maximum: kIntegerLimit - 1 },
  uinteger: { type: 'integer', minimum: 0, maximum: kIntegerLimit - 1 },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
};

const reference = (name) => ({ $ref: `#/definitions/${name}` });

// `structures` by name; `is_closed` says whether unnamed properties are refused.
class SchemaWriter {
  constructor(model) {
    this.model = model;
    this.structures = new Map(model.structures.map((structure) => [structure.name, structure]));
  }

  // The structure's own properties hide those of what it extends.
  propertiesOf(name) {
    const structure = this.structures.get(name);
    if (structure === undefined) throw new Error(`metaModel.json has no structure ${name}`);
    const merged = new Map();
    for (const base of [...(structure.extends ?? []), ...(structure.mixins ?? [])]) {
      for (const property of this.propertiesOf(base.name)) merged.set(property.name, property);
    }
    for (const property of structure.properties) merged.set(property.name, property);
    return [...merged.values()];
  }

  object(properties, isClosed) {
    const schema = { type: 'object', properties: {}, required: [] };
    for (const property of properties) {
      schema.properties[property.name] = this.type(property.type);
      if (!property.optional) schema.required.push(property.name);
    }
    if (isClosed) schema.additionalProperties = false;
    return schema;
  }

  type(type) {
    switch (type.kind) {
      case 'base': return kBase[type.name];
      case 'reference': return reference(type.name);
      case 'array': return { type: 'array', items: this.type(type.element) };
      case 'map': return { type: 'object', additionalProperties: this.type(type.value) };
      case 'or': return { anyOf: type.items.map((item) => this.type(item)) };
      // Each part would refuse what the others name, so only their union is closed.
      case 'and': return this.object(type.items.flatMap((item) => this.propertiesOf(item.name)), true);
      case 'tuple':
        return { type: 'array', items: type.items.map((item) => this.type(item)), additionalItems: false, minItems: type.items.length };
      case 'literal': return this.object(type.value.properties, type.value.properties.length > 0);
      case 'stringLiteral': return { const: type.value };
      default: throw new Error(`metaModel.json has an unknown kind of type: ${type.kind}`);
    }
  }

  definitions() {
    const definitions = {};
    for (const structure of this.model.structures) {
      // A structure without properties of its own is open: InitializedParams, and what others extend.
      const properties = this.propertiesOf(structure.name);
      definitions[structure.name] = this.object(properties, properties.length > 0);
    }
    for (const enumeration of this.model.enumerations) {
      definitions[enumeration.name] = enumeration.supportsCustomValues
        ? kBase[enumeration.type.name] : { enum: enumeration.values.map((value) => value.value) };
    }
    for (const alias of this.model.typeAliases) definitions[alias.name] = this.type(alias.type);
    return definitions;
  }
}

export function readMetaModel() {
  return JSON.parse(fs.readFileSync(new URL('metaModel.json', import.meta.url), 'utf8'));
}

// {version, schema, requests, notifications}: the last two are maps from a method to {params, result,
// registrationOptions, direction} as JSON schemas; params is null where there are none.
export function protocolSchema(model = readMetaModel()) {
  const writer = new SchemaWriter(model);
  const optional = (type) => (type === undefined ? null : writer.type(type));
  const method = (entry) => ({
    direction: entry.messageDirection,
    params: optional(entry.params),
    result: optional(entry.result),
    registrationOptions: optional(entry.registrationOptions),
    registrationMethod: entry.registrationMethod ?? entry.method,
  });
  return {
    version: model.metaData.version,
    schema: { $id: 'lsp', definitions: writer.definitions() },
    requests: new Map(model.requests.map((entry) => [entry.method, method(entry)])),
    notifications: new Map(model.notifications.map((entry) => [entry.method, method(entry)])),
  };
}

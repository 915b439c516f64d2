//! The description of the interface, made from the table of routes and the schemas beside this file.

use std::sync::OnceLock;

use axum::Json;
use serde_json::{Map, Value, json};

use crate::guard::TOKEN_HEADER;
use crate::routes::{Route, table};

const SCHEMAS: &str = include_str!("schemas.json");

pub(crate) async fn serve() -> Json<Value> {
    static DESCRIPTION: OnceLock<Value> = OnceLock::new();
    Json(DESCRIPTION.get_or_init(describe).clone())
}

pub(crate) fn describe() -> Value {
    let mut paths = Map::new();
    for route in table() {
        let method = route.method.as_str().to_lowercase();
        let entry = paths.entry(route.path).or_insert_with(|| json!({}));
        entry[method] = operation(&route);
    }
    let schemas: Value = serde_json::from_str(SCHEMAS).unwrap_or_default();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ludens",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Game players that learn the way people do, and can say why they moved. \
                            Calls that change something carry the page's token in a header.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": { "type": "apiKey", "in": "header", "name": TOKEN_HEADER }
            },
        },
    })
}

fn operation(route: &Route) -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let answer = if route.gives.contains('/') {
        json!({ route.gives: { "schema": { "type": "string" } } })
    } else {
        json!({ "application/json": { "schema": reference(route.gives) } })
    };
    let refusal = json!({
        "description": "Refused; the message says what to do next",
        "content": { "application/json": { "schema": reference("Error") } },
    });
    let mut operation = json!({
        "summary": route.summary,
        "responses": { "200": { "description": "Done", "content": answer }, "default": refusal },
    });
    let parameters: Vec<Value> = names_in(route.path)
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    if !parameters.is_empty() {
        operation["parameters"] = json!(parameters);
    }
    if let Some(takes) = route.takes {
        let content = if takes.contains('/') {
            json!({ takes: { "schema": { "type": "string" } } })
        } else {
            json!({ "application/json": { "schema": reference(takes) } })
        };
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    if route.method != axum::http::Method::GET {
        operation["security"] = json!([{ "token": [] }]);
    }
    operation
}

/// The names in braces of a path.
fn names_in(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_that_is_named_exists() {
        let description = describe();
        let schemas = description["components"]["schemas"].as_object().unwrap();
        assert!(schemas.len() > 8);
        let text = description.to_string();
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "no schema {name}");
        }
    }
}

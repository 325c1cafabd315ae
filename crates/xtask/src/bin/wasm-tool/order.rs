//! Puts a module's functions into an order that compresses well.
//!
//! Compressors find what is alike more cheaply when it is near, and much of a module is one generic function for many
//! types. Starting from the largest function, the one that shares most with the last two comes next.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionSectionReader, Parser, Payload, TypeRef,
};

/// How many bytes in a row are compared.
const RUN: usize = 5;
/// Runs that are in more functions than this say nothing about two of them.
const TOO_COMMON: usize = 200;
/// Added to a function's length in runs, so that the smallest do not always come first.
const LEAST: f64 = 30.0;

/// The module with its functions in another order.
pub(crate) fn order(module: &[u8]) -> Result<Vec<u8>> {
    let (imported, bodies) = functions(module)?;
    let order = chain(&bodies);
    let mut places = vec![0; order.len()];
    for (place, &function) in (0..).zip(&order) {
        if let Some(slot) = places.get_mut(function) {
            *slot = place;
        }
    }
    let mut ordered = Module::new();
    Ordered { imported, order, places }
        .parse_core_module(&mut ordered, Parser::new(0), module)
        .map_err(|error| anyhow!("ordering the functions: {error}"))?;
    Ok(ordered.finish())
}

/// How many functions are imported, and the bytes of the others.
fn functions(module: &[u8]) -> Result<(u32, Vec<&[u8]>)> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    Ok((imported, bodies))
}

/// The functions, each after one that it resembles.
fn chain(bodies: &[&[u8]]) -> Vec<usize> {
    let runs: Vec<Vec<&[u8]>> = bodies
        .iter()
        .map(|body| {
            let mut runs: Vec<&[u8]> = body.windows(RUN).collect();
            runs.sort_unstable();
            runs.dedup();
            runs
        })
        .collect();
    let mut owners: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (function, runs) in runs.iter().enumerate() {
        for run in runs {
            owners.entry(run).or_default().push(function);
        }
    }
    owners.retain(|_, owners| (2..=TOO_COMMON).contains(&owners.len()));
    let shared = |function: usize| {
        let runs = runs.get(function).map(Vec::as_slice).unwrap_or_default();
        runs.iter().filter_map(|run| owners.get(run)).flatten().copied()
    };
    let length = |function: usize| runs.get(function).map_or(0, Vec::len) as f64;
    let mut left: Vec<bool> = vec![true; bodies.len()];
    let mut by_size: Vec<usize> = (0..bodies.len()).collect();
    by_size.sort_by_key(|&function| std::cmp::Reverse(bodies.get(function).map(|body| body.len())));
    let mut by_size = by_size.into_iter();
    let mut order: Vec<usize> = Vec::with_capacity(bodies.len());
    while order.len() < bodies.len() {
        let mut alike: BTreeMap<usize, f64> = BTreeMap::new();
        for (&before, weight) in order.iter().rev().zip([1.0, 0.5]) {
            for function in shared(before).filter(|&function| left.get(function) == Some(&true)) {
                *alike.entry(function).or_default() += weight;
            }
        }
        let alike =
            alike.into_iter().map(|(function, runs)| (function, runs / (length(function) + LEAST)));
        let best = alike.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let next = best
            .map(|(function, _)| function)
            .or_else(|| by_size.find(|&function| left.get(function) == Some(&true)));
        let Some(next) = next else { break };
        if let Some(left) = left.get_mut(next) {
            *left = false;
        }
        order.push(next);
    }
    order
}

/// Writes a module with its functions in another order.
struct Ordered {
    /// How many functions are imported: they stay first.
    imported: u32,
    /// The functions in their new order, each by its old place.
    order: Vec<usize>,
    /// Where each function is now.
    places: Vec<u32>,
}

impl Reencode for Ordered {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        let own = function.checked_sub(self.imported).and_then(|own| self.places.get(own as usize));
        Ok(own.map_or(function, |place| self.imported + place))
    }

    /// Names and the like are for tools, not for browsers.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: CustomSectionReader<'_>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        for index in self.order.clone() {
            if let Some(&of) = types.get(index) {
                functions.function(self.type_index(of)?);
            }
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for index in self.order.clone() {
            if let Some(body) = bodies.get(index) {
                self.parse_function_body(code, body.clone())?;
            }
        }
        Ok(())
    }
}

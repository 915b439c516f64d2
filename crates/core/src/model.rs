//! Models and checkpoints: named tensors and metadata, kept as safetensors that any tool can read.
//!
//! The bytes are canonical: a file loads if and only if writing what was loaded gives the same bytes again.
//! Together with a CRC-32 in the metadata no truncation and no flipped bit gets through.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use safetensors::SafeTensors;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::shown::{cut, is_hidden};
use crate::{Cost, store};

mod error;
mod tensor;

pub use error::ModelError;
pub use tensor::Tensor;

/// The version of the layout of model files; older ones stay readable.
const FORMAT: &str = "1";

/// The most bytes of a header: names, shapes and metadata. Those of the zoo have 20,000.
const HEADER_BYTES: u64 = 4 << 20;

/// What a learner is, completely.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The name of the learner that made it.
    pub learner: String,
    /// The name of the game it plays.
    pub game: String,
    /// What its learning consumed.
    pub ledger: Cost,
    /// Parameters and whatever else is not a tensor, each as text.
    pub meta: BTreeMap<String, String>,
    /// The numbers it learnt, by name.
    pub tensors: BTreeMap<String, Tensor>,
}

fn damaged(problem: impl ToString) -> ModelError {
    ModelError::Damaged { problem: problem.to_string() }
}

/// The length of the header that a file begins with, if it can be one: a forged length must not be believed before memory is asked for.
fn header_length(first: [u8; 8]) -> Result<u64, ModelError> {
    let length = u64::from_le_bytes(first);
    if length > HEADER_BYTES {
        return Err(damaged(format!("it claims a header of {length} bytes, the limit is {HEADER_BYTES}")));
    }
    Ok(length)
}

/// Names are shown in lists and errors: one that steers a terminal or has no end is none.
fn check_name(what: &str, name: &str) -> Result<(), ModelError> {
    const LONGEST: usize = 4096;
    if name.len() > LONGEST || name.contains(|c| is_hidden(c) || c == '\n') {
        return Err(damaged(format!("the name of its {what}, {:?}, cannot be one", cut(name))));
    }
    Ok(())
}

macro_rules! tensor_access {
    ($($put:ident, $get:ident, $variant:ident, $type:ty;)*) => {$(
        /// Keeps a tensor under `name`; `data` fills `shape` row by row.
        pub fn $put(&mut self, name: &str, shape: &[usize], data: &[$type]) {
            debug_assert_eq!(shape.iter().product::<usize>(), data.len());
            self.tensors.insert(name.into(), Tensor::$variant(shape.to_vec(), data.to_vec()));
        }
        /// The tensor `name` if it has exactly `len` elements.
        pub fn $get(&self, name: &str, len: usize) -> Result<&[$type], ModelError> {
            match self.tensors.get(name) {
                Some(Tensor::$variant(_, data)) if data.len() == len => Ok(data),
                _ => Err(ModelError::Missing { what: format!("tensor {name} of {len}") }),
            }
        }
    )*};
}

impl Model {
    /// A model without tensors or metadata.
    pub fn new(learner: &str, game: &str, ledger: Cost) -> Model {
        Model {
            learner: learner.into(),
            game: game.into(),
            ledger,
            meta: BTreeMap::new(),
            tensors: BTreeMap::new(),
        }
    }

    tensor_access! {
        put_f32, f32s, F32, f32;
        put_f64, f64s, F64, f64;
        put_u64, u64s, U64, u64;
        put_i32, i32s, I32, i32;
        put_i8, i8s, I8, i8;
        put_u8, u8s, U8, u8;
    }

    /// The number of elements of a tensor, 0 where there is none.
    pub fn len_of(&self, name: &str) -> usize {
        self.tensors.get(name).map_or(0, |tensor| tensor.shape().iter().product())
    }

    /// Keeps any serialisable value (parameters, a schedule) in the metadata.
    pub fn put_meta(&mut self, key: &str, value: &impl Serialize) {
        let text = serde_json::to_string(value).unwrap_or_default();
        self.meta.insert(key.into(), text);
    }

    /// Reads a value that [`Model::put_meta`] kept.
    pub fn meta<T: DeserializeOwned>(&self, key: &str) -> Result<T, ModelError> {
        self.meta
            .get(key)
            .and_then(|text| serde_json::from_str(text).ok())
            .ok_or_else(|| ModelError::Missing { what: format!("metadata {key}") })
    }

    /// Fails where a number of a tensor is none (NaN) or endless: nothing can be reckoned with it.
    pub fn check_finite(&self) -> Result<(), ModelError> {
        let broken = |tensor: &Tensor| match tensor {
            Tensor::F32(_, data) => data.iter().any(|x| !x.is_finite()),
            Tensor::F64(_, data) => data.iter().any(|x| !x.is_finite()),
            _ => false,
        };
        match self.tensors.iter().find(|(_, tensor)| broken(tensor)) {
            Some((name, _)) => Err(ModelError::NotFinite { tensor: name.clone() }),
            None => Ok(()),
        }
    }

    /// Fails unless the model is for this game and by this learner.
    pub fn expect(&self, learner: &str, game: &str) -> Result<(), ModelError> {
        if self.learner != learner {
            return Err(ModelError::WrongLearner { found: self.learner.clone(), wanted: learner.into() });
        }
        if self.game != game {
            return Err(ModelError::WrongGame { found: self.game.clone(), wanted: game.into() });
        }
        Ok(())
    }

    /// The file as bytes, with its checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let checksum = crc32fast::hash(&self.layout(None));
        self.layout(Some(checksum))
    }

    /// Reads a file's bytes and checks that they are whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let model = Model::read(bytes)?;
        if model.to_bytes() != bytes {
            return Err(damaged("its checksum does not match its content"));
        }
        Ok(model)
    }

    /// Writes the file; one that was there is replaced only by a whole one.
    pub fn write(&self, path: &Path) -> Result<(), ModelError> {
        store::write_atomic(path, &self.to_bytes())
            .map_err(|source| ModelError::Write { path: path.into(), source })
    }

    /// For checkpoints: the one before stays beside it.
    pub fn write_checkpoint(&self, path: &Path) -> Result<(), ModelError> {
        store::write_keeping_previous(path, &self.to_bytes())
            .map_err(|source| ModelError::Write { path: path.into(), source })
    }

    /// Reads and checks a file of at most [`store::MODEL_BYTES`].
    pub fn load(path: &Path) -> Result<Model, ModelError> {
        let unreadable = |source| ModelError::Read { path: path.into(), source };
        let mut file = store::open_bounded(path, store::MODEL_BYTES).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.by_ref().take(8).read_to_end(&mut bytes).map_err(unreadable)?;
        if let Ok(first) = bytes.as_slice().try_into() {
            header_length(first).map_err(|error| error.in_file(path))?;
        }
        bytes.append(&mut store::read_rest(file, store::MODEL_BYTES).map_err(unreadable)?);
        Model::from_bytes(&bytes).map_err(|error| error.in_file(path))
    }

    /// The checkpoint, or the one before it where the newest is missing or damaged.
    pub fn load_checkpoint(path: &Path) -> Result<Model, ModelError> {
        let newest = Model::load(path);
        if newest.is_ok() {
            return newest;
        }
        let previous = store::previous_of(path).map(|previous| Model::load(&previous));
        match previous {
            Ok(Ok(model)) => Ok(model),
            _ => newest,
        }
    }

    /// A safetensors file: the length of the header, the header, the tensors in the order of their names.
    fn layout(&self, checksum: Option<u32>) -> Vec<u8> {
        let mut metadata: BTreeMap<String, Value> =
            self.meta.iter().map(|(key, value)| (format!("meta.{key}"), json!(value))).collect();
        metadata.insert("format".into(), json!(FORMAT));
        metadata.insert("learner".into(), json!(self.learner));
        metadata.insert("game".into(), json!(self.game));
        metadata.insert("ledger".into(), json!(json!(self.ledger).to_string()));
        if let Some(checksum) = checksum {
            metadata.insert("checksum".into(), json!(format!("{checksum:08x}")));
        }
        let mut header = BTreeMap::from([("__metadata__".to_string(), json!(metadata))]);
        let mut data = Vec::new();
        for (name, tensor) in &self.tensors {
            let begin = data.len();
            tensor.append_to(&mut data);
            let entry = json!({
                "dtype": tensor.type_name(),
                "shape": tensor.shape(),
                "data_offsets": [begin, data.len()],
            });
            header.insert(name.clone(), entry);
        }
        let mut header = json!(header).to_string().into_bytes();
        while !header.len().is_multiple_of(8) {
            header.push(b' ');
        }
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        bytes.extend(data);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Model, ModelError> {
        if let Some(first) = bytes.first_chunk() {
            header_length(*first)?;
        }
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let none = Default::default();
        let metadata = header.metadata().as_ref().unwrap_or(&none);
        let field =
            |key: &str| metadata.get(key).cloned().ok_or_else(|| damaged(format!("its header has no {key}")));
        let format = field("format")?;
        if format != FORMAT {
            return Err(ModelError::Format { found: cut(&format).into() });
        }
        let mut model = Model::new(
            &field("learner")?,
            &field("game")?,
            serde_json::from_str(&field("ledger")?).map_err(damaged)?,
        );
        check_name("learner", &model.learner)?;
        check_name("game", &model.game)?;
        for (key, value) in metadata {
            if let Some(key) = key.strip_prefix("meta.") {
                check_name("metadata", key)?;
                model.meta.insert(key.into(), value.clone());
            }
        }
        for (name, view) in file.tensors() {
            check_name("tensors", &name)?;
            let tensor = Tensor::read(view.dtype(), view.shape(), view.data())
                .ok_or_else(|| damaged(format!("tensor {name} has a type Ludens does not write")))?;
            model.tensors.insert(name, tensor);
        }
        Ok(model)
    }
}

/// Parameters of a model as a reader may want them: `ludens describe`, run lists.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelCard {
    /// The name of the learner that made it.
    pub learner: String,
    /// The name of the game it plays.
    pub game: String,
    /// What its learning consumed.
    pub ledger: Cost,
    /// Its parameters, each as text.
    pub meta: BTreeMap<String, String>,
    /// The shape of every tensor, by name.
    pub tensors: BTreeMap<String, Vec<usize>>,
}

impl From<&Model> for ModelCard {
    fn from(model: &Model) -> ModelCard {
        ModelCard {
            learner: model.learner.clone(),
            game: model.game.clone(),
            ledger: model.ledger,
            meta: model.meta.clone(),
            tensors: model
                .tensors
                .iter()
                .map(|(name, tensor)| (name.clone(), tensor.shape().to_vec()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Model {
        let mut model =
            Model::new("demo", "tic-tac-toe", Cost { states: 3, games: 2, chunks: 1, ..Cost::default() });
        model.put_meta("rate", &0.1);
        model.put_f32("weights", &[2, 3], &[1.0, -2.5, 0.0, f32::MIN_POSITIVE, 5.0, 6.0]);
        model.put_u64("rng", &[4], &[1, 2, 3, u64::MAX]);
        model.put_i8("cells", &[3], &[-1, 0, 1]);
        model
    }

    #[test]
    fn comes_back_as_it_was() {
        let model = example();
        let again = Model::from_bytes(&model.to_bytes()).unwrap();
        assert_eq!(again, model);
        assert_eq!(again.meta::<f64>("rate").unwrap(), 0.1);
        assert_eq!(again.f32s("weights", 6).unwrap()[1], -2.5);
        assert!(again.f32s("weights", 5).is_err());
    }

    #[test]
    fn no_flipped_bit_and_no_truncation_gets_through() {
        let bytes = example().to_bytes();
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[position] ^= 1 << bit;
                assert!(Model::from_bytes(&damaged).is_err(), "byte {position} bit {bit}");
            }
            assert!(Model::from_bytes(&bytes[..position]).is_err(), "cut at {position}");
        }
    }

    /// Whole by their checksum, and still not to be believed.
    #[test]
    fn forged_names_and_headers_are_refused() {
        for name in ["a\u{1b}[2Jb", "a\u{202e}b", "a\nb", &"x".repeat(66_000)] {
            let mut tensor = example();
            tensor.put_i8(name, &[1], &[0]);
            let mut meta = example();
            meta.put_meta(name, &0);
            for model in
                [Model::new(name, "g", Cost::default()), Model::new("l", name, Cost::default()), tensor, meta]
            {
                let error = Model::from_bytes(&model.to_bytes()).unwrap_err();
                assert!(error.is_damage() && error.to_string().len() < 400, "{error}");
            }
        }
        let mut large = example();
        large.meta.insert("large".into(), "x".repeat(HEADER_BYTES as usize));
        assert!(Model::from_bytes(&large.to_bytes()).unwrap_err().to_string().contains("claims a header"));
    }

    #[test]
    fn an_error_names_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.safetensors");
        // A sparse file: a terabyte of header that nobody has.
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(1 << 40).unwrap();
        let too_long = Model::load(&path).unwrap_err();
        assert!(too_long.to_string().contains("limit") && !too_long.is_damage(), "{too_long}");
        for text in [&[][..], b"rubbish", &(1u64 << 40).to_le_bytes()] {
            std::fs::write(&path, text).unwrap();
            let error = Model::load(&path).unwrap_err();
            assert!(error.is_damage() && error.to_string().contains("broken.safetensors"), "{error}");
        }
    }

    #[test]
    fn a_damaged_checkpoint_gives_way_to_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.model");
        let mut model = example();
        model.write_checkpoint(&path).unwrap();
        model.ledger.games = 99;
        model.write_checkpoint(&path).unwrap();
        assert_eq!(Model::load_checkpoint(&path).unwrap().ledger.games, 99);
        std::fs::write(&path, b"rubbish").unwrap();
        assert_eq!(Model::load_checkpoint(&path).unwrap().ledger.games, 2);
    }
}
